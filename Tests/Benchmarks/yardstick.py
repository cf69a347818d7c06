"""Dijkstra's algorithm as NetworkX has it, over the edges that `waystone graph --paths` prints.

Reads the JSON from standard input, and prints the seconds that all pairs took by the clock and by the
processor, the number of paths, and how many of them cost something else than the paths in the input.
"""

import json
import sys
import time

try:
    import networkx
except ImportError:
    print("absent")
    sys.exit(0)

PARTS = [
    "notEquivalent", "refuted", "unknown", "undeclaredLosses", "unknownPreconditions",
    "lossyFindings", "neglectedPreferences", "hops", "estimatedBytes",
]


def weight(cost):
    """The cost as one number: no sum of a lesser part reaches the next greater one."""
    total = 0
    for part in PARTS:
        total = total * 1_000_000 + cost[part]
    return total


report = json.load(sys.stdin)
graph = networkx.DiGraph()
graph.add_nodes_from(node["name"] for node in report["nodes"])
for edge in report["edges"]:
    if edge["verdict"] == "equivalent" and edge["cost"]["undeclaredLosses"] == 0:
        graph.add_edge(edge["from"], edge["to"], weight=weight(edge["cost"]))

wall, processor = time.perf_counter(), time.process_time()
lengths = dict(networkx.all_pairs_dijkstra_path_length(graph))
wall, processor = time.perf_counter() - wall, time.process_time() - processor

found = {(a, b): length for a, row in lengths.items() for b, length in row.items() if a != b}
different = 0
for path in report["paths"]:
    own = sum(graph[a][b]["weight"] for a, b in zip(path, path[1:]))
    if found.pop((path[0], path[-1]), None) != own:
        different += 1
print(wall, processor, len(report["paths"]), different + len(found))
