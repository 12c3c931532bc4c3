"""How a claim becomes a solver question: encodings, solvers under a budget, models read back as counterexamples."""
