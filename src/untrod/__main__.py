"""`python -m untrod`."""

from untrod.cli import main

if __name__ == "__main__":
    main()
