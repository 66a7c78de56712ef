/* The system that attend.wasm runs on: the part of WASI preview 1 that it imports, over files in memory. Nothing
 * outside of the page is reached, and nothing is kept when it closes. */

const ERRNO = {success: 0, badf: 8, exist: 20, inval: 28, noent: 44, nosys: 52, notempty: 55};
const TYPE = {character: 2, directory: 3, file: 4};
const OPEN = {create: 1, exclusive: 4, truncate: 8};
const FDFLAG_APPEND = 1, ROOT = 3, PAGE = 1 << 16;

/* A file that grows. */
class File {
  constructor(bytes = new Uint8Array(0)) {
    this.store = bytes;
    this.size = bytes.length;
  }

  get bytes() {
    return this.store.subarray(0, this.size);
  }

  resize(size) {
    if (size > this.store.length) {
      const more = new Uint8Array(Math.max(size, 2 * this.store.length, PAGE));
      more.set(this.bytes);
      this.store = more;
    }
    if (size < this.size)
      this.store.fill(0, size, this.size);
    this.size = size;
  }

  write(at, bytes) {
    if (at + bytes.length > this.size)
      this.resize(at + bytes.length);
    this.store.set(bytes, at);
  }
}

/* Files by their path, all in one folder: the calls of WASI as methods of `imports`. */
export class System {
  constructor({print = text => console.warn(text), random = bytes => crypto.getRandomValues(bytes)} = {}) {
    this.print = print;
    this.random = random;
    this.files = new Map();
    this.open = new Map([[ROOT, {folder: true}]]);
    this.numbers = new WeakMap(); /* of files, for fstat */
    this.numbered = 0;
    this.imports = Object.fromEntries(Object.getOwnPropertyNames(System.prototype)
      .filter(name => /^(fd|path|clock|random|environ|args|proc|poll|sched)_/.test(name))
      .map(name => [name, this[name].bind(this)]));
  }

  /* The memory is known once the module is there. */
  use(memory) {
    this.memory = memory;
  }

  put(path, bytes) {
    this.files.set(path, new File(bytes));
  }

  get(path) {
    return this.files.get(path)?.bytes;
  }

  remove(path) {
    this.files.delete(path);
  }

  /* ---- Linear memory, which may have grown since the last call ---- */

  get view() {
    return new DataView(this.memory.buffer);
  }

  bytesAt(at, length) {
    return new Uint8Array(this.memory.buffer, at, length);
  }

  pathAt(at, length) {
    const steps = new TextDecoder().decode(this.bytesAt(at, length)).split('/');
    return '/' + steps.filter(step => step && step !== '.').join('/');
  }

  /* The parts of memory that a list of iovec names. */
  *parts(list, count) {
    for (let i = 0; i < count; i++)
      yield this.bytesAt(this.view.getUint32(list + 8 * i, true), this.view.getUint32(list + 8 * i + 4, true));
  }

  setSize(at, size) {
    this.view.setUint32(at, size, true);
    return ERRNO.success;
  }

  setLong(at, number) {
    this.view.setBigUint64(at, BigInt(number), true);
    return ERRNO.success;
  }

  /* ---- Descriptors ---- */

  fd_prestat_get(fd, at) {
    if (fd !== ROOT)
      return ERRNO.badf;
    this.view.setUint32(at, 0, true);
    return this.setSize(at + 4, 1);
  }

  fd_prestat_dir_name(fd, at, length) {
    this.bytesAt(at, length).fill('/'.charCodeAt(0));
    return ERRNO.success;
  }

  fd_fdstat_get(fd, at) {
    const open = this.open.get(fd), type = !open ? TYPE.character : open.folder ? TYPE.directory : TYPE.file;
    this.bytesAt(at, 24).fill(0);
    this.view.setUint8(at, type);
    this.view.setUint16(at + 2, open?.append ? FDFLAG_APPEND : 0, true);
    this.bytesAt(at + 8, 16).fill(0xff); /* all rights */
    return ERRNO.success;
  }

  fd_fdstat_set_flags() {
    return ERRNO.success;
  }

  fd_close(fd) {
    return this.open.delete(fd) ? ERRNO.success : ERRNO.badf;
  }

  fd_sync() {
    return ERRNO.success;
  }

  fd_read(fd, list, count, out) {
    const open = this.open.get(fd);
    if (!open?.file)
      return fd === 0 ? this.setSize(out, 0) : ERRNO.badf;
    const from = open.at;
    for (const part of this.parts(list, count)) {
      const some = open.file.bytes.subarray(open.at, open.at + part.length);
      part.set(some);
      open.at += some.length;
    }
    return this.setSize(out, open.at - from);
  }

  /* Descriptors that are not files are standard output and error. */
  fd_write(fd, list, count, out) {
    const open = this.open.get(fd);
    let written = 0;
    for (const part of this.parts(list, count)) {
      written += part.length;
      if (!open?.file) {
        this.print(new TextDecoder().decode(part));
        continue;
      }
      if (open.append)
        open.at = open.file.size;
      open.file.write(open.at, part);
      open.at += part.length;
    }
    return this.setSize(out, written);
  }

  fd_pread(fd, list, count, offset, out) {
    const open = this.open.get(fd), at = open.at;
    open.at = Number(offset);
    this.fd_read(fd, list, count, out);
    open.at = at;
    return ERRNO.success;
  }

  fd_seek(fd, offset, whence, out) {
    const open = this.open.get(fd);
    if (!open?.file)
      return ERRNO.badf;
    const at = [0, open.at, open.file.size][whence] + Number(offset);
    if (!(at >= 0))
      return ERRNO.inval;
    open.at = at;
    return this.setLong(out, at);
  }

  fd_filestat_set_size(fd, size) {
    this.open.get(fd).file.resize(Number(size));
    return ERRNO.success;
  }

  stat(file, at) {
    if (file && !this.numbers.has(file))
      this.numbers.set(file, ++this.numbered);
    this.bytesAt(at, 64).fill(0);
    this.setLong(at + 8, file ? this.numbers.get(file) : 0);
    this.view.setUint8(at + 16, file ? TYPE.file : TYPE.directory);
    this.setLong(at + 24, 1);
    return this.setLong(at + 32, file ? file.size : 0);
  }

  fd_filestat_get(fd, at) {
    const open = this.open.get(fd);
    return open ? this.stat(open.file, at) : ERRNO.badf;
  }

  /* The root's entries, each 24 bytes and a name. */
  fd_readdir(fd, at, room, cookie, out) {
    const encoder = new TextEncoder(), names = [...this.files.keys()].map(path => encoder.encode(path.slice(1)));
    let used = 0;
    for (let i = Number(cookie); i < names.length && used < room; i++) {
      const entry = new Uint8Array(24 + names[i].length), view = new DataView(entry.buffer);
      view.setBigUint64(0, BigInt(i + 1), true);
      view.setUint32(16, names[i].length, true);
      view.setUint8(20, TYPE.file);
      entry.set(names[i], 24);
      const some = entry.subarray(0, room - used);
      this.bytesAt(at + used, some.length).set(some);
      used += some.length;
    }
    return this.setSize(out, used);
  }

  /* ---- Paths ---- */

  path_open(folder, follow, at, length, flags, rights, inherited, fdflags, out) {
    const path = this.pathAt(at, length), known = this.files.get(path);
    if (path === '/')
      return this.openAs({folder: true}, out);
    if (!known && !(flags & OPEN.create))
      return ERRNO.noent;
    if (known && flags & OPEN.exclusive)
      return ERRNO.exist;
    const file = known ?? new File();
    this.files.set(path, file);
    if (flags & OPEN.truncate)
      file.resize(0);
    return this.openAs({file, at: 0, append: Boolean(fdflags & FDFLAG_APPEND)}, out);
  }

  openAs(open, out) {
    let fd = ROOT + 1;
    while (this.open.has(fd))
      fd++;
    this.open.set(fd, open);
    return this.setSize(out, fd);
  }

  path_filestat_get(folder, flags, at, length, out) {
    const path = this.pathAt(at, length), file = this.files.get(path);
    return file || path === '/' ? this.stat(file, out) : ERRNO.noent;
  }

  path_unlink_file(folder, at, length) {
    return this.files.delete(this.pathAt(at, length)) ? ERRNO.success : ERRNO.noent;
  }

  path_rename(folder, at, length, other, to, toLength) {
    const from = this.pathAt(at, length), file = this.files.get(from);
    if (!file)
      return ERRNO.noent;
    this.files.delete(from);
    this.files.set(this.pathAt(to, toLength), file);
    return ERRNO.success;
  }

  /* There are no links. */
  path_readlink() {
    return ERRNO.inval;
  }

  path_create_directory() {
    return ERRNO.exist;
  }

  path_remove_directory() {
    return ERRNO.notempty;
  }

  /* ---- The rest ---- */

  clock_time_get(clock, precision, out) {
    const milliseconds = clock ? performance.now() : Date.now();
    return this.setLong(out, Math.round(1e6 * milliseconds));
  }

  clock_res_get(clock, out) {
    return this.setLong(out, 1000);
  }

  random_get(at, length) {
    this.random(this.bytesAt(at, length));
    return ERRNO.success;
  }

  environ_sizes_get(count, size) {
    this.setSize(count, 0);
    return this.setSize(size, 0);
  }

  environ_get() {
    return ERRNO.success;
  }

  sched_yield() {
    return ERRNO.success;
  }

  poll_oneoff() {
    return ERRNO.nosys;
  }

  proc_exit(code) {
    throw new Error(`attend.wasm ended with code ${code}`);
  }
}
