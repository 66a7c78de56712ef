/* The weights at earlier updates: models as bytes, in bounded memory. */
const BYTES_MOST = 32 << 20, COUNT_MOST = 160;
const EARLY = 20; /* updates; snapshots thin out with time, in proportion to the updates since about here */

export class Snapshots {
  constructor(most = BYTES_MOST) {
    this.most = most;
    this.kept = []; /* {update, bytes}, in order */
    this.size = 0;
  }

  get updates() {
    return this.kept.map(({update}) => update);
  }

  add(update, bytes) {
    this.kept.push({update, bytes});
    this.size += bytes.length;
    while (this.kept.length > 2 && (this.size > this.most || this.kept.length > COUNT_MOST))
      this.drop();
  }

  /* The one whose neighbors are closest; the first and the last stay. */
  drop() {
    const gap = i => (this.kept[i + 1].update - this.kept[i - 1].update) / (this.kept[i].update + EARLY);
    let least = 1;
    for (let i = 2; i + 1 < this.kept.length; i++)
      if (gap(i) < gap(least))
        least = i;
    this.size -= this.kept.splice(least, 1)[0].bytes.length;
  }

  /* The latest one that is not later than an update. */
  at(update) {
    return this.kept.findLast(one => one.update <= update) ?? this.kept[0];
  }
}
