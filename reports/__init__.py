"""What people read: terminal, Markdown, HTML and machine formats. No decisions are made here."""
