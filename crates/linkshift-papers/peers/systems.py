"""The systems side by side, each as a function; as a program, one fit in a process of its own:
systems.py NAME PROBLEM LABELS

PROBLEM is an .npz with points, truth, must, cannot, n_clusters and seed. Writes the labels to LABELS
(.npy) and prints the seconds of the fit, the processor's seconds (of all cores together: what counts on a
machine that others use, too), and the megabytes of memory that the process took more at its peak than
before the fit. A small fit goes before, so that nobody's compiling or importing counts.
"""

import random
import resource
import sys
import time
import warnings
from types import SimpleNamespace

import numpy as np

# Answers that the systems get which choose their own questions.
N_ANSWERS = 200


def links_of(problem):
    return {"must_link": problem.must, "cannot_link": problem.cannot}


def ours(name, told_k=False, linked=True, **settings):
    def fit(problem):
        import linkshift

        told = {"n_clusters": int(problem.n_clusters)} if told_k else {}
        model = getattr(linkshift, name)(**told, **settings)
        return model.fit(problem.points, **(links_of(problem) if linked else {})).labels_

    return fit


def our_questions(problem):
    from linkshift import Asker

    asker = Asker(problem.points, random_state=int(problem.seed))
    for _ in range(N_ANSWERS):
        questions = asker.next()
        if not questions:
            break
        ((a, b),) = questions
        asker.tell(a, b, bool(problem.truth[a] == problem.truth[b]))
    return asker.labels()


def bandwidth_of(problem):
    """The rule of the CMS paper's baseline."""
    from scipy.spatial.distance import pdist

    return np.percentile(pdist(problem.points), 15)


def our_mean_shift(problem):
    """With scikit-learn's settings, so that the labels are the same."""
    from linkshift import MeanShift

    return MeanShift.like_scikit_learn(bandwidth_of(problem)).fit(problem.points).labels_


def sklearn_mean_shift(problem):
    from sklearn.cluster import MeanShift

    return MeanShift(bandwidth=bandwidth_of(problem)).fit(problem.points).labels_


def sklearn_spectral(problem):
    from sklearn.cluster import SpectralClustering

    model = SpectralClustering(
        int(problem.n_clusters), affinity="nearest_neighbors", random_state=int(problem.seed)
    )
    return model.fit(problem.points).labels_


def sklearn_kmeans(problem):
    from sklearn.cluster import KMeans

    model = KMeans(int(problem.n_clusters), n_init=4, random_state=int(problem.seed))
    return model.fit(problem.points).labels_


def hdbscan_plain(problem):
    import hdbscan

    return hdbscan.HDBSCAN().fit(problem.points).labels_


def fast_hdbscan_plain(problem):
    import fast_hdbscan

    return fast_hdbscan.HDBSCAN().fit(problem.points).labels_


def fast_hdbscan_linked(problem):
    """It knows cannot-links only."""
    import fast_hdbscan
    from scipy.sparse import coo_matrix

    n = len(problem.points)
    a, b = problem.cannot.T
    apart = coo_matrix((np.ones(len(a), bool), (a, b)), shape=(n, n)).tocsr()
    model = fast_hdbscan.HDBSCAN(algorithm="kruskal", cannot_link=apart + apart.T)
    return model.fit(problem.points).labels_


def semi_supervised(name):
    def fit(problem):
        from active_semi_clustering.exceptions import EmptyClustersException
        from active_semi_clustering.semi_supervised import pairwise_constraints

        sys.setrecursionlimit(100_000)  # its search for groups is recursive
        must, cannot = (
            [tuple(map(int, pair)) for pair in pairs] for pairs in (problem.must, problem.cannot)
        )
        for _ in range(10):  # it gives up now and then; another start helps
            model = getattr(pairwise_constraints, name)(n_clusters=int(problem.n_clusters))
            try:
                model.fit(problem.points, ml=must, cl=cannot)
                return model.labels_
            except (EmptyClustersException, FloatingPointError):
                continue
        raise RuntimeError("it gave up ten times")

    return fit


def cobras(problem):
    np.int = int  # cobras-ts 0.1.3 is older than NumPy 1.24, which dropped the name
    from cobras_ts.cobras_kmeans import COBRAS_kmeans

    class Person:
        """As its own label querier, whose package wants a web server installed."""

        def query_points(self, a, b):
            return problem.truth[a] == problem.truth[b]

        def update_clustering(self, clustering):
            pass

        def continue_cluster_process(self):
            return True

    _, clusterings, *_ = COBRAS_kmeans(problem.points, Person(), N_ANSWERS).cluster()
    return np.array(clusterings[-1])


# Name, what it is told, and the fit.
SYSTEMS = {
    "linkshift AutoCluster": ("links", ours("AutoCluster")),
    "linkshift ConstrainedMeanShift": ("links", ours("ConstrainedMeanShift")),
    "linkshift SpectralMeanShift": ("links, k", ours("SpectralMeanShift", told_k=True)),
    "linkshift PCKMeans": ("links, k", ours("PCKMeans", told_k=True, random_state=0)),
    "active-semi-supervised-clustering PCKMeans": ("links, k", semi_supervised("PCKMeans")),
    "linkshift MPCKMeans": ("links, k", ours("MPCKMeans", told_k=True, random_state=0)),
    "active-semi-supervised-clustering MPCKMeans": ("links, k", semi_supervised("MPCKMeans")),
    "linkshift COPKMeans": ("links, k", ours("COPKMeans", told_k=True, random_state=0)),
    "active-semi-supervised-clustering COPKMeans": ("links, k", semi_supervised("COPKMeans")),
    "fast_hdbscan": ("cannot-links", fast_hdbscan_linked),
    "linkshift Asker": (f"{N_ANSWERS} answers", our_questions),
    "cobras-ts": (f"{N_ANSWERS} answers", cobras),
    "linkshift AutoCluster, no links": ("", ours("AutoCluster", linked=False)),
    "linkshift MeanShift": ("", our_mean_shift),
    "scikit-learn MeanShift": ("", sklearn_mean_shift),
    "linkshift BoostedMeanShift": ("", ours("BoostedMeanShift", linked=False)),
    "linkshift KMeans": ("k", ours("KMeans", told_k=True, linked=False, random_state=0)),
    "scikit-learn KMeans": ("k", sklearn_kmeans),
    "scikit-learn SpectralClustering": ("k", sklearn_spectral),
    "hdbscan": ("", hdbscan_plain),
    "fast_hdbscan, no links": ("", fast_hdbscan_plain),
}


def peak():
    """Megabytes that the process held at the most so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def small_problem():
    rng = np.random.default_rng(0)
    truth = np.repeat([0, 1], 40)
    points = rng.normal(size=(80, 2)) + 10 * truth[:, None]
    must, cannot = np.array([[0, 1], [40, 41]]), np.array([[0, 40]])
    return SimpleNamespace(
        points=points, truth=truth, must=must, cannot=cannot, n_clusters=2, seed=0
    )


def main():
    name, problem_file, labels_file = sys.argv[1:]
    warnings.filterwarnings("ignore")
    fit = SYSTEMS[name][1]
    fit(small_problem())
    problem = SimpleNamespace(**np.load(problem_file))
    np.random.seed(int(problem.seed))
    random.seed(int(problem.seed))
    before, start, computed = peak(), time.perf_counter(), time.process_time()
    labels = fit(problem)
    print(time.perf_counter() - start, time.process_time() - computed, peak() - before)
    np.save(labels_file, np.asarray(labels))


if __name__ == "__main__":
    main()
