"""Quick start: two moons, thirty answers.

Mean shift finds bumps of the density, and a moon is not a bump. A person who says of thirty pairs
"these two belong apart" settles it.
"""

# %% Points, and links as a person might give them
import numpy as np
from sklearn.datasets import make_moons
from sklearn.metrics import adjusted_rand_score

from linkshift import ConstrainedMeanShift, MeanShift

X, truth = make_moons(n_samples=400, noise=0.05, random_state=0)
rng = np.random.default_rng(0)
upper, lower = np.flatnonzero(truth == 0), np.flatnonzero(truth == 1)
cannot_link = np.column_stack([rng.choice(upper, 30), rng.choice(lower, 30)])

# %% Without links, and with them
plain = MeanShift().fit(X)
model = ConstrainedMeanShift().fit(X, cannot_link=cannot_link)
for name, fitted in [("mean shift", plain), ("constrained mean shift", model)]:
    score = adjusted_rand_score(truth, fitted.labels_)
    print(f"{name:<24}{fitted.n_clusters_} clusters, adjusted Rand index {score:.3f}")

# %% Which answers were kept
report = model.link_report_
print(f"{report['kept'].sum()} of {len(report)} links kept; broken: {model.broken_links_.tolist()}")

# %% New points
print("a point at the tip of each moon:", model.predict([[0.0, 1.0], [1.0, -0.5]]))

# %% A picture
try:
    import matplotlib.pyplot as plt
except ImportError:
    print("matplotlib is not installed: no picture")
else:
    from linkshift.plot import scatter

    scatter(model, X)
    plt.savefig("moons.png", dpi=150)
    print("moons.png written")
