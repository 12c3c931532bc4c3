"""What is claimed, and on which evidence: claims, verdicts, certificates, and the runner that decides them."""
