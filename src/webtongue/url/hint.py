from webtongue.hints.hint import Hint
import math
def url_hint(url, reader):
    reason, ids, logs = reader.rank(url, 43)
    if not ids: return None
    n=len(reader.labels)
    nats={reader.labels[i][:3]: max(-3.0,min(6.0, log/1024+math.log(n))) for i,log in zip(ids,logs)}
    best=max(nats,key=nats.get)
    return Hint("url", url[:200], best if nats[best]>.5 else "", nats)
