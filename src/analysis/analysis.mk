# Layer analysis: pure functions on the model.
