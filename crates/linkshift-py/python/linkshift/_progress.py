"""What `verbose` shows."""

import sys


class Progress:
    """A progress bar on stderr: tqdm's if it is installed, otherwise one line that is rewritten."""

    def __init__(self, verbose):
        self._verbose = verbose
        self._bar = None
        self._shown = False

    def __enter__(self):
        return self._show if self._verbose else None

    def __exit__(self, *_):
        if self._bar is not None:
            self._bar.close()
        elif self._shown:
            print(file=sys.stderr)

    def _show(self, n_iter, max_iter, n_live):
        if not self._shown:
            self._shown = True
            try:
                from tqdm import tqdm
            except ImportError:
                pass
            else:
                self._bar = tqdm(total=max_iter, unit="it", desc="fit")
        if self._bar is None:
            print(
                f"\rfit: {n_iter}/{max_iter}, {n_live} moving ", end="", file=sys.stderr, flush=True
            )
        else:
            self._bar.set_postfix(moving=n_live, refresh=False)
            self._bar.update(n_iter - self._bar.n)
