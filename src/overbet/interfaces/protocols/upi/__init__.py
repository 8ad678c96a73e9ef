"""UPI, the text commands of PioSOLVER, over stdin and stdout: a subset, solved by our own engine."""
