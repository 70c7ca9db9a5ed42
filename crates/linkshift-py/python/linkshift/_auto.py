"""The default method: nothing to choose."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._base import LinkClusterer


class AutoCluster(LinkClusterer):
    """The default: asks several methods, weighs them by held-back links, and joins what they say.

    There is no method, scale or number of clusters to choose. Links that are probably wrong are
    listed and not obeyed; all others are kept. How many pairs are expected to be right is told
    from links that were held back.

    Parameters
    ----------
    trust : str, default="some"
        Which links are right: some lists those that are probably wrong and does not obey them,
        all obeys every one. It is some or all.
    most_points : int, default=2500
        Of more points so many find the clusters, and the others join their neighbours. It is a
        whole number from 50.
    memory_mb : int or None, default=None
        What the fit may use, in megabytes: it fails early if it would need more; None: no
        limit. It is None or a whole number from 1.
    use_y : bool or str, default="auto"
        Whether `y` holds partial labels. "auto": only if -1 is among them, so that tools which pass
        full labels along do not change the result.
    n_jobs : int or None, default=None
        Threads. None or -1: all processors; -2: all but one. The labels never depend on it.
    random_state : int or np.random.RandomState or None, default=None
        Seed of everything that is drawn by chance; None means 0, so results never vary by
        themselves.
    verbose : bool, default=False
        Whether to show progress on stderr (with tqdm, if that is installed).

    Attributes
    ----------
    labels_ : array of shape (n_points,)
        The cluster of each point, numbered from 0 by first member.
    cluster_centers_ : array of shape (n_clusters, n_features)
        The mean of each cluster.
    n_clusters_ : int
        Number of clusters.
    expected_right_ : float or None
        The share of pairs that is expected to be right; None where links are too few to tell.
    expected_right_low_ : float or None
        The lower end of an interval that should hold nine times in ten.
    expected_right_high_ : float or None
        Its upper end.
    expected_right_by_cluster_ : array
        The same for each cluster, of the pairs with a point in it.
    expected_right_by_cluster_low_ : array
        The lower ends of their intervals.
    expected_right_by_cluster_high_ : array
        The upper ends.
    clusters_to_ask_ : array
        Clusters that deserve more answers, the worst first.
    wrong_rate_ : float
        The estimated share of wrong answers.
    n_suspects_ : int
        Links that are probably wrong and were not obeyed.
    suspects_ : list of dict
        These links, the least likely first: ``position`` in `link_report_`, ``link`` (row, row,
        kind), the ``likely`` answer, how surely it is ``right`` after all, the ``reason``
        ("evidence" or "contradiction"), and for a contradiction the ``chain`` of links against it.
    link_right_ : array of shape (n_links,)
        How surely each link is right; 1 where nothing speaks against it.
    candidates_ : dict of str to float or None
        Who was asked, with the scale, and the balanced share of held-back links that each agrees
        with; None where none was held back.
    followed_ : str
        "all together", or the candidate that held-back links say is clearly better alone.
    evidence_weights_ : array
        What each piece of evidence counts.
    n_core_points_ : int
        Points that took part in finding the clusters.
    n_iter_ : int
        Fits done.
    converged_ : bool
        Whether it came to rest: always.
    notes_ : list of str
        What a person should know besides; doubts among them were warnings.
    link_report_ : structured array of shape (n_links,)
        Each link with its ends ``a`` and ``b``, ``kind``, ``confidence`` and whether it is
        ``kept``. ``pandas.DataFrame(link_report_)`` makes a table of it.
    broken_links_ : structured array
        The rows of `link_report_` that are not kept.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : array of shape (n_features,)
        Names of the features, if `X` had any.

    Examples
    --------
    >>> from linkshift import AutoCluster
    >>> X = [[0.0], [0.1], [0.2], [0.3], [5.0], [5.1], [5.2], [5.3]]
    >>> model = AutoCluster().fit(X, must_link=[(0, 1)], cannot_link=[(0, 4)])
    >>> model.labels_
    array([0, 0, 0, 0, 1, 1, 1, 1])
    >>> model.predict([[4.9]])
    array([1])
    """

    _method = "auto"

    def __init__(
        self,
        *,
        trust: str = "some",
        most_points: int = 2500,
        memory_mb: int | None = None,
        use_y: bool | str = "auto",
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = None,
        verbose: bool = False,
    ) -> None:
        self.trust = trust
        self.most_points = most_points
        self.memory_mb = memory_mb
        self.use_y = use_y
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose


def cluster(
    X: Any, links: Any = None, *, must_link: Any = None, cannot_link: Any = None, **params: Any
) -> AutoCluster:
    """Clusters with nothing to choose: a fitted :class:`AutoCluster`.

    `links` is anything that :class:`Links` takes as pairs with verdicts, or `Links` themselves;
    `must_link` and `cannot_link` are pairs, as in its ``fit``; the rest are its parameters.

    >>> import linkshift
    >>> X = [[0.0], [0.1], [0.2], [0.3], [5.0], [5.1], [5.2], [5.3]]
    >>> linkshift.cluster(X).labels_
    array([0, 0, 0, 0, 1, 1, 1, 1])
    """
    model = AutoCluster(**params)
    return model.fit(X, links=links, must_link=must_link, cannot_link=cannot_link)
