"""Runs the independent reference of the merge over histories: python3 oracle.py DIR, DIR holding merge_oracle.py.
Standard input: [{"policy": {...}, "entries": [[kind, seq, ...], ...]}, ...]. Standard output: the reference's end of each."""
import json, sys
sys.path.insert(0, sys.argv[1])
from merge_oracle import Space, Refused

def tuples(e):
    """JSON has no tuples; the reference wants contents as such."""
    if e[0] == "served":
        return (*e[:3], [tuple(x) for x in e[3]])
    if e[0] == "delta":
        return (*e[:5], [tuple(x) for x in e[5]], [tuple(x) for x in e[6]], [tuple(x) for x in e[7]])
    return tuple(e)

def policy(s, seq, change):
    """The reference looks a policy up as a contributor first, which a dict cannot be."""
    s.seq = seq
    s.policy.update(change)
    for i in sorted(s.items):
        s.recompute(i)

def run(h):
    s, refused = Space(h["policy"]), []
    for e in h["entries"]:
        try:
            if e[0] == "policy": policy(s, e[1], e[2])
            else: s.apply(tuples(e))
        except Refused as r:
            refused.append([e[1], str(r)])
    items = {i.id: dict(conf=i.conf, S=i.S, D=i.D, groups=i.groups, status=i.status, head=i.head, why=i.why) for i in s.items.values()}
    reps = {c: [r.r0, r.C, r.X, r.K, r.A, r.window, r.locks, r.left] for c, r in s.reps.items()}
    values = {c: s.value(c) for c in s.reps}
    holders = {x[1]: {c: [h.credit, h.corroborated, h.blamed] for c, h in hs.items()} for x, hs in s.holders.items() if hs}
    judged = {x[1]: v[0] for x, v in s.judged.items()}
    beliefs = {i.id: [s.belief(i), s.authoritative(i)] for i in s.items.values()}
    return dict(items=items, reps=reps, values=values, holders=holders, judged=judged, beliefs=beliefs, refused=refused)

json.dump([run(h) for h in json.load(sys.stdin)], sys.stdout)
