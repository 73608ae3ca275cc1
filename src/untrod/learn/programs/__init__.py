"""A policy that proposes whole inputs for a program: encoders, history, decoders, and how they learn."""
