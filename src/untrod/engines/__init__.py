"""One package per engine; none imports another."""
