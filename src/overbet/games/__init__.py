"""The rules: small research games, hold'em and Expresso, behind one state protocol."""
