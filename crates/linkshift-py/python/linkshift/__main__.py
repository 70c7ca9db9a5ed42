"""``python -m linkshift`` is the command ``linkshift``."""

from ._command import main

if __name__ == "__main__":
    main()
