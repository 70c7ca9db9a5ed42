"""Coming from scikit-learn's MeanShift: the same labels, sooner.

``MeanShift.like_scikit_learn(bandwidth)`` sets what scikit-learn has no choice about: the flat
kernel, and labels by the nearest mode. Everything else is called as before. With ``--full`` also
10,000 points, for which scikit-learn takes many minutes.
"""

# %% Before and after
import sys
import time

from sklearn.cluster import MeanShift as ScikitMeanShift
from sklearn.cluster import estimate_bandwidth
from sklearn.datasets import make_blobs
from sklearn.metrics import adjusted_rand_score

from linkshift import MeanShift

sizes = [500] if "--quick" in sys.argv else [2_000]
if "--full" in sys.argv:
    sizes.append(10_000)


def timed(model, X):
    start = time.perf_counter()
    model.fit(X)
    return time.perf_counter() - start


# %% Side by side, each with its own default of n_jobs (scikit-learn is no faster with -1 here)
print("     n   d   bandwidth   scikit-learn   linkshift   ratio   adjusted Rand index of the two")
for n_points in sizes:
    for n_features in [2, 10]:
        X, _ = make_blobs(n_points, n_features, centers=8, cluster_std=1.5, random_state=0)
        bandwidth = estimate_bandwidth(X, quantile=0.15, n_samples=1_000, random_state=0)
        before = ScikitMeanShift(bandwidth=bandwidth)
        after = MeanShift.like_scikit_learn(bandwidth)
        theirs, ours = timed(before, X), timed(after, X)
        agreement = adjusted_rand_score(before.labels_, after.labels_)
        print(
            f"{n_points:>6}  {n_features:>2}  {bandwidth:>10.3f}  {theirs:>11.2f} s  "
            f"{ours:>8.3f} s  {theirs / ours:>6.0f}  {agreement:.4f}"
        )

# %% What there is besides
X, _ = make_blobs(500, centers=4, random_state=0)
print(MeanShift().fit(X).n_clusters_, "clusters with a bandwidth found from the points")
print(MeanShift(bin_seeding=True).fit(X).n_clusters_, "clusters from a grid of seeds")
