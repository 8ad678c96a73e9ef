var qn = Array.isArray, zr = Array.prototype.indexOf, ft = Array.prototype.includes, Tt = Array.from, Hn = Object.defineProperty, it = Object.getOwnPropertyDescriptor, Yr = Object.getOwnPropertyDescriptors, Gr = Object.prototype, Wr = Array.prototype, jn = Object.getPrototypeOf, gn = Object.isExtensible;
const Kr = () => {
};
function Jr(e) {
  for (var t = 0; t < e.length; t++)
    e[t]();
}
function Un() {
  var e, t, n = new Promise((r, i) => {
    e = r, t = i;
  });
  return { promise: n, resolve: e, reject: t };
}
function Qr(e, t) {
  if (Array.isArray(e))
    return e;
  if (!(Symbol.iterator in e))
    return Array.from(e);
  const n = [];
  for (const r of e)
    if (n.push(r), n.length === t) break;
  return n;
}
const B = 2, We = 4, Ct = 8, Bn = 1 << 24, fe = 16, he = 32, Ce = 64, Vt = 128, tn = 256, de = 512, P = 1024, R = 2048, ee = 4096, z = 8192, U = 16384, Ze = 32768, ut = 1 << 25, Ke = 65536, yt = 1 << 17, Xr = 1 << 18, $e = 1 << 19, Zr = 1 << 20, we = 1 << 25, xt = 1 << 21, Ye = 1 << 22, Te = 1 << 23, bt = Symbol("$state"), Vn = Symbol("component"), $r = Symbol(""), zn = Symbol("attributes"), zt = Symbol("class"), Yt = Symbol("style"), Gt = Symbol("text"), vt = new class extends Error {
  name = "StaleReactionError";
  message = "The reaction that called `getAbortSignal()` was re-run or destroyed";
}(), ei = 1, ti = 2, Yn = 4, ni = 8, ri = 16, ii = 1, si = 2, Gn = {}, I = Symbol("uninitialized"), li = "http://www.w3.org/1999/xhtml";
function oi() {
  console.warn("https://svelte.dev/e/derived_inert");
}
function ai() {
  console.warn("https://svelte.dev/e/svelte_boundary_reset_noop");
}
function Wn(e) {
  return e === this.v;
}
function fi(e, t) {
  return e != e ? t == t : e !== t || e !== null && typeof e == "object" || typeof e == "function";
}
function Kn(e) {
  return !fi(e, this.v);
}
function ui() {
  throw new Error("https://svelte.dev/e/async_derived_orphan");
}
function ci(e, t, n) {
  throw new Error("https://svelte.dev/e/each_key_duplicate");
}
function di(e) {
  throw new Error("https://svelte.dev/e/effect_in_teardown");
}
function hi() {
  throw new Error("https://svelte.dev/e/effect_in_unowned_derived");
}
function vi(e) {
  throw new Error("https://svelte.dev/e/effect_orphan");
}
function pi() {
  throw new Error("https://svelte.dev/e/effect_update_depth_exceeded");
}
function _i() {
  throw new Error("https://svelte.dev/e/state_descriptors_fixed");
}
function gi() {
  throw new Error("https://svelte.dev/e/state_prototype_fixed");
}
function wi() {
  throw new Error("https://svelte.dev/e/state_unsafe_mutation");
}
function bi() {
  throw new Error("https://svelte.dev/e/svelte_boundary_reset_onerror");
}
let Y = null;
function Je(e) {
  Y = e;
}
function nn(e, t = !1, n) {
  Y = {
    p: Y,
    i: !1,
    c: null,
    e: null,
    s: e,
    x: null,
    r: (
      /** @type {Effect} */
      A
    ),
    l: null
  };
}
function rn(e) {
  var t = (
    /** @type {ComponentContext} */
    Y
  ), n = t.e;
  if (n !== null) {
    t.e = null;
    for (var r of n)
      cr(r);
  }
  return t.i = !0, Y = t.p, sn(e);
}
function sn(e = {}) {
  return Hn(e, Vn, { value: !0 }), e;
}
function Jn() {
  return !0;
}
let ze = [];
function mi() {
  var e = ze;
  ze = [], Jr(e);
}
function Ee(e) {
  if (ze.length === 0) {
    var t = ze;
    queueMicrotask(() => {
      t === ze && mi();
    });
  }
  ze.push(e);
}
const yi = -7169;
function L(e, t) {
  e.f = e.f & yi | t;
}
function ln(e) {
  (e.f & de) !== 0 || e.deps === null ? L(e, P) : L(e, ee);
}
function Qn(e, t) {
  (e.f & R) !== 0 ? t.set(e, R) : (e.f & ee) !== 0 && t.get(e) !== R && t.set(e, ee), L(e, P);
}
function pt(e) {
  var t = S, n = A;
  se(null), ye(null);
  try {
    return e();
  } finally {
    se(t), ye(n);
  }
}
function xi(e, t, n, r) {
  const i = on;
  var s = e.filter((h) => !h.settled), l = t.map(i);
  if (n.length === 0 && s.length === 0) {
    r(l);
    return;
  }
  var a = (
    /** @type {Effect} */
    A
  ), o = Ei(), f = s.length === 1 ? s[0].promise : s.length > 1 ? Promise.all(s.map((h) => h.promise)) : null;
  function u(h) {
    if ((a.f & U) === 0) {
      o();
      try {
        r([...l, ...h]);
      } catch (_) {
        ge(_, a);
      }
      Et();
    }
  }
  var c = Xn();
  if (n.length === 0) {
    f.then(() => u([])).finally(c);
    return;
  }
  function v() {
    Promise.all(n.map((h) => /* @__PURE__ */ ki(h))).then(u).catch((h) => ge(h, a)).finally(c);
  }
  f ? f.then(() => {
    if ((a.f & U) !== 0) {
      c();
      return;
    }
    o(), v(), Et();
  }) : v();
}
function Ei() {
  var e = (
    /** @type {Effect} */
    A
  ), t = S, n = Y, r = (
    /** @type {Batch} */
    T
  );
  return function(s = !0) {
    ye(e), se(t), Je(n), s && (e.f & U) === 0 && (r?.activate(), r?.apply());
  };
}
function Et(e = !0) {
  ye(null), se(null), Je(null), e && T?.deactivate();
}
function Xn() {
  var e = (
    /** @type {Effect} */
    A
  ), t = e.b, n = (
    /** @type {Batch} */
    T
  ), r = !!t?.is_rendered();
  return t?.update_pending_count(1, n), n.increment(r, e), () => {
    t?.update_pending_count(-1, n), n.decrement(r, e);
  };
}
// @__NO_SIDE_EFFECTS__
function on(e) {
  var t = B | R;
  return A !== null && (A.f |= $e), {
    ctx: Y,
    deps: null,
    effects: null,
    equals: Wn,
    f: t,
    fn: e,
    reactions: null,
    rv: 0,
    v: (
      /** @type {V} */
      I
    ),
    wv: 0,
    parent: A,
    ac: null
  };
}
const tt = Symbol("obsolete");
// @__NO_SIDE_EFFECTS__
function ki(e, t, n) {
  let r = (
    /** @type {Effect | null} */
    A
  );
  r === null && ui();
  var i = (
    /** @type {Promise<V>} */
    /** @type {unknown} */
    void 0
  ), s = je(
    /** @type {V} */
    I
  ), l = !S, a = /* @__PURE__ */ new Set();
  return qi(() => {
    var o = (
      /** @type {Effect} */
      A
    ), f = Un();
    i = f.promise;
    try {
      Promise.resolve(e()).then(f.resolve, (h) => {
        h !== vt && f.reject(h);
      }).finally(Et);
    } catch (h) {
      f.reject(h), Et();
    }
    var u = (
      /** @type {Batch} */
      T
    );
    if (l) {
      if ((o.f & Ze) !== 0)
        var c = Xn();
      if (
        // boundary can be null if the async derived is inside an $effect.root not connected to the component render tree
        r.b?.is_rendered()
      )
        u.async_deriveds.get(o)?.reject(tt);
      else
        for (const h of a.values())
          h.reject(tt);
      a.add(f), u.async_deriveds.set(o, f);
    }
    const v = (h, _ = void 0) => {
      c?.(), a.delete(f), _ !== tt && (u.activate(), _ ? (s.f |= Te, Qe(s, _)) : ((s.f & Te) !== 0 && (s.f ^= Te), Qe(s, h)), u.deactivate());
    };
    f.promise.then(v, (h) => v(null, h || "unknown"));
  }), ur(() => {
    for (const o of a)
      o.reject(tt);
  }), new Promise((o) => {
    function f(u) {
      function c() {
        u === i ? o(s) : f(i);
      }
      u.then(c, c);
    }
    f(i);
  });
}
// @__NO_SIDE_EFFECTS__
function K(e) {
  const t = /* @__PURE__ */ on(e);
  return wr(t), t;
}
// @__NO_SIDE_EFFECTS__
function Si(e) {
  const t = /* @__PURE__ */ on(e);
  return t.equals = Kn, t;
}
function Ai(e) {
  var t = e.effects;
  if (t !== null) {
    e.effects = null;
    for (var n = 0; n < t.length; n += 1)
      X(
        /** @type {Effect} */
        t[n]
      );
  }
}
function an(e) {
  var t, n = A, r = e.parent;
  if (!Re && r !== null && e.v !== I && // if it was never evaluated before, it's guaranteed to fail downstream, so we try to execute instead
  (r.f & (U | z)) !== 0)
    return oi(), e.v;
  ye(r);
  try {
    Ai(e), t = xr(e);
  } finally {
    ye(n);
  }
  return t;
}
function Zn(e) {
  var t = an(e);
  if (!e.equals(t) && (e.wv = mr(), (!T?.is_fork || e.deps === null) && (T !== null ? (T.capture(e, t, !0), Wt?.capture(e, t, !0)) : e.v = t, e.deps === null))) {
    L(e, P);
    return;
  }
  Re || (ue !== null ? (cn() || T?.is_fork) && ue.set(e, t) : ln(e));
}
function Mi(e) {
  if (e.effects !== null)
    for (const t of e.effects)
      (t.teardown || t.ac) && (t.teardown?.(), t.ac !== null && pt(() => {
        t.ac.abort(vt), t.ac = null;
      }), t.fn !== null && (t.teardown = Kr), dt(t, 0), dn(t));
}
function $n(e) {
  if (e.effects !== null)
    for (const t of e.effects)
      t.teardown && t.fn !== null && Xe(t);
}
let Ft = null, Be = null, T = null, Wt = null, ue = null, Kt = null, It = !1, st = null, mt = null;
var wn = 0;
let Ti = 1;
class Oe {
  id = Ti++;
  /** True as soon as `#process` was called */
  started = !1;
  linked = !0;
  /** @type {Batch | null} */
  prev = null;
  /** @type {Batch | null} */
  next = null;
  /** @type {Map<Effect, ReturnType<typeof deferred<any>>>} */
  async_deriveds = /* @__PURE__ */ new Map();
  /**
   * The current values of any signals that are updated in this batch.
   * Tuple format: [value, is_derived] (note: is_derived is false for deriveds, too, if they were overridden via assignment)
   * The keys of this map are identical to `this.previous`
   * @type {Map<Value, [any, boolean]>}
   */
  current = /* @__PURE__ */ new Map();
  /**
   * The values of any signals (sources and deriveds) that are updated in this batch _before_ those updates took place.
   * The keys of this map are identical to `this.current`
   * @type {Map<Value, any>}
   */
  previous = /* @__PURE__ */ new Map();
  /**
   * When the batch is committed (and the DOM is updated), we need to remove old branches
   * and append new ones by calling the functions added inside (if/each/key/etc) blocks
   * @type {Set<(batch: Batch) => void>}
   */
  #t = /* @__PURE__ */ new Set();
  /**
   * If a fork is discarded, we need to destroy any effects that are no longer needed
   * @type {Set<(batch: Batch) => void>}
   */
  #a = /* @__PURE__ */ new Set();
  /**
   * The number of async effects that are currently in flight
   */
  #e = 0;
  /**
   * Async effects that are currently in flight, _not_ inside a pending boundary
   * @type {Map<Effect, number>}
   */
  #l = /* @__PURE__ */ new Map();
  /**
   * A deferred that resolves when the batch is committed, used with `settled()`
   * TODO replace with Promise.withResolvers once supported widely enough
   * @type {{ promise: Promise<void>, resolve: (value?: any) => void, reject: (reason: unknown) => void } | null}
   */
  #n = null;
  /**
   * Effects that were scheduled in this batch but not yet 'resolved' into the
   * root effects that need to be flushed. Resolving — the upwards traversal that
   * marks the path to each effect on the shared effect tree (see #resolve) — is
   * deferred until the batch is processed, so that the markers are created and
   * consumed within a single traversal. Scheduling into other batches (which can
   * happen concurrently, e.g. while a batch is committed) can therefore never
   * observe (and be confused by) this batch's markers.
   * May contain duplicates — deduplication happens during resolving
   * @type {Effect[]}
   */
  #r = [];
  /**
   * Effects created while this batch was active.
   * @type {Effect[]}
   */
  #s = [];
  /**
   * Deferred effects (which run after async work has completed) and their status (DIRTY or MAYBE_DIRTY)
   * @type {Map<Effect, number>}
   */
  #i = /* @__PURE__ */ new Map();
  /**
   * A map of branches that still exist, but will be destroyed when this batch
   * is committed — we skip over these during `process`.
   * The value contains child effects that were dirty/maybe_dirty before being reset,
   * so they can be rescheduled if the branch survives.
   * @type {Map<Effect, { d: Effect[], m: Effect[] }>}
   */
  #o = /* @__PURE__ */ new Map();
  /**
   * Inverse of #skipped_branches which we need to tell prior batches to unskip them when committing
   * @type {Set<Effect>}
   */
  #h = /* @__PURE__ */ new Set();
  is_fork = !1;
  #f = !1;
  constructor() {
    Be === null ? Ft = Be = this : (Be.next = this, this.prev = Be), Be = this;
  }
  #v() {
    if (this.is_fork) return !0;
    for (const t of this.#l.keys())
      if (!this.#g(t))
        return !0;
    return !1;
  }
  /**
   * Whether `effect` is inside a branch that this batch skips
   * @param {Effect} effect
   */
  #g(t) {
    for (var n = (
      /** @type {Effect | null} */
      t
    ); n !== null; n = n.parent)
      if (this.#o.has(n)) return !0;
    return !1;
  }
  /**
   * Add an effect to the #skipped_branches map and reset its children
   * @param {Effect} effect
   */
  skip_effect(t) {
    this.#o.has(t) || this.#o.set(t, { d: [], m: [] }), this.#h.delete(t);
  }
  /**
   * Remove an effect from the #skipped_branches map and reschedule
   * any tracked dirty/maybe_dirty child effects
   * @param {Effect} effect
   * @param {(e: Effect) => void} callback
   */
  unskip_effect(t, n = (r) => this.schedule(r)) {
    var r = this.#o.get(t);
    if (r) {
      this.#o.delete(t);
      for (var i of r.d)
        L(i, R), n(i);
      for (i of r.m)
        L(i, ee), n(i);
    }
    this.#h.add(t);
  }
  /**
   * Convert the effects that were scheduled in this batch into the root effects
   * that need to be traversed, marking the path to each effect (by clearing the
   * `CLEAN` flag on ancestor branches) so that the traversal can find them.
   * This happens right before traversal rather than at scheduling time, so that
   * the markers left on the (shared) effect tree are created and consumed within
   * a single traversal — scheduling into other batches can never observe them
   * @returns {Effect[]}
   */
  #u() {
    var t = [];
    for (const s of this.#r)
      if (!((s.f & U) !== 0 || (s.f & (R | ee)) === 0)) {
        for (var n = s, r = !1; n.parent !== null; ) {
          n = n.parent;
          var i = n.f;
          if ((i & (Ce | he)) !== 0) {
            if ((i & P) === 0) {
              r = !0;
              break;
            }
            n.f ^= P;
          }
        }
        r || t.push(n);
      }
    return this.#r = [], t;
  }
  #p() {
    this.started = !0;
    for (const [a, o] of this.#i)
      L(a, o), this.schedule(a);
    this.apply();
    for (var t = st = [], n = [], r = mt = []; this.#r.length > 0; ) {
      wn++ > 1e3 && (this.#d(), Ci());
      for (const a of this.#u())
        try {
          this.#b(a, t, n);
        } catch (o) {
          throw nr(a), this.#v() || this.discard(), o;
        }
    }
    if (T = null, r.length > 0) {
      var i = Oe.ensure();
      for (const a of r)
        i.schedule(a);
    }
    if (st = null, mt = null, this.#v()) {
      this.#_(n), this.#_(t);
      for (const [a, o] of this.#o)
        tr(a, o);
      r.length > 0 && /** @type {unknown} */
      T.#p();
      return;
    }
    const s = this.#x();
    if (s) {
      this.#_(n), this.#_(t), s.#c(this);
      return;
    }
    this.#i.clear();
    for (const a of this.#t) a(this);
    this.#t.clear(), Wt = this, bn(n), bn(t), Wt = null, this.#n?.resolve();
    var l = (
      /** @type {Batch | null} */
      /** @type {unknown} */
      T
    );
    this.#e === 0 && (this.#r.length === 0 || l !== null) && this.#d(), l !== null && (be.clear(), l.#p());
  }
  /**
   * Traverse the effect tree, executing effects or stashing
   * them for later execution as appropriate
   * @param {Effect} root
   * @param {Effect[]} effects
   * @param {Effect[]} render_effects
   */
  #b(t, n, r) {
    t.f ^= P;
    for (var i = t.first; i !== null; ) {
      var s = i.f, l = (s & (he | Ce)) !== 0, a = l && (s & P) !== 0, o = a || (s & z) !== 0 || this.#o.has(i);
      if (!o && i.fn !== null) {
        l ? i.f ^= P : (s & We) !== 0 ? n.push(i) : gt(i) && ((s & fe) !== 0 && this.add_dirty_reaction(i, ee), Xe(i));
        var f = i.first;
        if (f !== null) {
          i = f;
          continue;
        }
      }
      for (; i !== null; ) {
        var u = i.next;
        if (u !== null) {
          i = u;
          break;
        }
        i = i.parent;
      }
    }
  }
  #x() {
    for (var t = this.prev; t !== null; t = t.prev)
      if (!t.is_fork && this.#w(t)) return t;
    return null;
  }
  /** @param {Batch} batch */
  #w(t) {
    for (const [n, [, r]] of this.current)
      if (!r && t.current.has(n))
        return !0;
    return !1;
  }
  /**
   * @param {Batch} batch
   */
  #c(t) {
    for (const [r, i] of t.current)
      !this.previous.has(r) && t.previous.has(r) && this.previous.set(r, t.previous.get(r)), this.current.set(r, i);
    for (const [r, i] of t.async_deriveds) {
      const s = this.async_deriveds.get(r);
      s && i.promise.then(s.resolve).catch(s.reject);
    }
    t.async_deriveds.clear(), this.transfer_reactions(t.#i);
    const n = (r) => {
      var i = r.reactions;
      if (i !== null && !((r.f & B) !== 0 && (r.f & (R | ee)) === 0))
        for (const a of i) {
          var s = a.f;
          if ((s & B) !== 0)
            n(
              /** @type {Derived} */
              a
            );
          else {
            var l = (
              /** @type {Effect} */
              a
            );
            s & (Ye | fe) && !this.async_deriveds.has(l) && (this.#i.delete(l), L(l, R), this.schedule(l));
          }
        }
    };
    for (const r of this.current.keys())
      n(r);
    this.oncommit(() => t.discard()), t.#d(), T = this, this.#p();
  }
  /**
   * @param {Effect[]} effects
   */
  #_(t) {
    for (var n = 0; n < t.length; n += 1)
      Qn(t[n], this.#i);
  }
  /**
   * Associate a change to a given source with the current
   * batch, noting its previous and current values
   * @param {Value} source
   * @param {any} value
   * @param {boolean} [is_derived]
   */
  capture(t, n, r = !1) {
    t.v !== I && !this.previous.has(t) && this.previous.set(t, t.v), (t.f & Te) === 0 && (this.current.set(t, [n, r]), ue?.set(t, n)), this.is_fork || (t.v = n);
  }
  activate() {
    T = this;
  }
  deactivate() {
    T = null, ue = null;
  }
  flush() {
    try {
      It = !0, T = this, this.#p();
    } finally {
      wn = 0, Kt = null, st = null, mt = null, It = !1, T = null, ue = null, be.clear();
    }
  }
  discard() {
    for (const t of this.#a) t(this);
    this.#a.clear();
    for (const t of this.async_deriveds.values())
      t.reject(tt);
    this.#d(), this.#n?.resolve();
  }
  /**
   * @param {Effect} effect
   */
  register_created_effect(t) {
    this.#s.push(t);
  }
  #m() {
    for (let c = Ft; c !== null; c = c.next) {
      var t = c.id < this.id, n = [];
      for (const [v, [h, _]] of this.current) {
        if (c.current.has(v)) {
          var r = (
            /** @type {[any, boolean]} */
            c.current.get(v)[0]
          );
          if (t && h !== r)
            c.current.set(v, [h, _]);
          else
            continue;
        }
        n.push(v);
      }
      if (t)
        for (const [v, h] of this.async_deriveds) {
          const _ = c.async_deriveds.get(v);
          _ && h.promise.then(_.resolve).catch(_.reject);
        }
      var i = [...c.current.keys()].filter(
        (v) => !/** @type {[any, boolean]} */
        c.current.get(v)[1]
      );
      if (!(!c.started || i.length === 0)) {
        var s = i.filter((v) => !this.current.has(v));
        if (s.length === 0)
          t && c.discard();
        else if (n.length > 0) {
          if (t)
            for (const v of this.#h)
              c.unskip_effect(v, (h) => {
                (h.f & (fe | Ye)) !== 0 ? c.schedule(h) : c.#_([h]);
              });
          c.activate();
          var l = /* @__PURE__ */ new Set(), a = /* @__PURE__ */ new Map();
          for (var o of n)
            er(o, s, l, a);
          a = /* @__PURE__ */ new Map();
          var f = [...c.current].filter(([v, h]) => {
            const _ = this.current.get(v);
            return _ ? _[0] !== h[0] || _[1] !== h[1] : !0;
          }).map(([v]) => v);
          if (f.length > 0)
            for (const v of this.#s)
              (v.f & (U | z | yt)) === 0 && fn(v, f, a) && ((v.f & (Ye | fe)) !== 0 ? (L(v, R), c.schedule(v)) : c.add_dirty_reaction(v, R));
          if (c.#r.length > 0 && !c.#f) {
            c.apply();
            for (var u of c.#u())
              c.#b(u, [], []);
          }
          c.deactivate();
        }
      }
    }
  }
  /**
   * @param {boolean} blocking
   * @param {Effect} effect
   */
  increment(t, n) {
    if (this.#e += 1, t) {
      let r = this.#l.get(n) ?? 0;
      this.#l.set(n, r + 1);
    }
  }
  /**
   * @param {boolean} blocking
   * @param {Effect} effect
   */
  decrement(t, n) {
    if (this.#e -= 1, t) {
      let r = this.#l.get(n) ?? 0;
      r === 1 ? this.#l.delete(n) : this.#l.set(n, r - 1);
    }
    this.#f || (this.#f = !0, Ee(() => {
      this.#f = !1, this.linked && this.flush();
    }));
  }
  /**
   * @param {Map<Effect, number>} dirty_reactions
   */
  transfer_reactions(t) {
    for (const [n, r] of t)
      this.add_dirty_reaction(n, r);
    t.clear();
  }
  /**
   * @param {Effect} effect
   * @param {number} status
   */
  add_dirty_reaction(t, n) {
    (n === R || this.#i.get(t) !== R) && this.#i.set(t, n);
  }
  /** @param {(batch: Batch) => void} fn */
  oncommit(t) {
    this.#t.add(t);
  }
  /** @param {(batch: Batch) => void} fn */
  ondiscard(t) {
    this.#a.add(t);
  }
  settled() {
    return (this.#n ??= Un()).promise;
  }
  static ensure() {
    if (T === null) {
      const t = T = new Oe();
      It || Ee(() => {
        t.started || t.flush();
      });
    }
    return T;
  }
  apply() {
    {
      ue = null;
      return;
    }
  }
  /**
   *
   * @param {Effect} effect
   */
  schedule(t) {
    if (Kt = t, t.b?.is_pending && (t.f & (We | Ct | Bn)) !== 0 && (t.f & Ze) === 0) {
      t.b.defer_effect(t);
      return;
    }
    this.#r.push(t);
  }
  #d() {
    if (this.linked) {
      var t = this.prev, n = this.next;
      t === null ? Ft = n : t.next = n, n === null ? Be = t : n.prev = t, this.linked = !1;
    }
  }
}
function Ci() {
  try {
    pi();
  } catch (e) {
    ge(e, Kt);
  }
}
let xe = null;
function bn(e) {
  var t = e.length;
  if (t !== 0) {
    for (var n = 0; n < t; ) {
      var r = e[n++];
      if ((r.f & (U | z)) === 0 && gt(r) && (xe = /* @__PURE__ */ new Set(), Xe(r), r.deps === null && r.first === null && r.nodes === null && r.teardown === null && r.ac === null && pr(r), xe?.size > 0)) {
        be.clear();
        for (const i of xe) {
          if ((i.f & (U | z)) !== 0) continue;
          const s = [i];
          let l = i.parent;
          for (; l !== null; )
            xe.has(l) && (xe.delete(l), s.push(l)), l = l.parent;
          for (let a = s.length - 1; a >= 0; a--) {
            const o = s[a];
            (o.f & (U | z)) === 0 && Xe(o);
          }
        }
        xe.clear();
      }
    }
    xe = null;
  }
}
function er(e, t, n, r) {
  if (!n.has(e) && (n.add(e), e.reactions !== null))
    for (const i of e.reactions) {
      const s = i.f;
      (s & B) !== 0 ? er(
        /** @type {Derived} */
        i,
        t,
        n,
        r
      ) : (s & (Ye | fe)) !== 0 && (s & R) === 0 && fn(i, t, r) && (L(i, R), un(
        /** @type {Effect} */
        i
      ));
    }
}
function fn(e, t, n) {
  const r = n.get(e);
  if (r !== void 0) return r;
  if (e.deps !== null)
    for (const i of e.deps) {
      if (ft.call(t, i))
        return !0;
      if ((i.f & B) !== 0 && fn(
        /** @type {Derived} */
        i,
        t,
        n
      ))
        return n.set(
          /** @type {Derived} */
          i,
          !0
        ), !0;
    }
  return n.set(e, !1), !1;
}
function un(e) {
  T.schedule(e);
}
function tr(e, t) {
  if (!((e.f & he) !== 0 && (e.f & P) !== 0)) {
    (e.f & R) !== 0 ? t.d.push(e) : (e.f & ee) !== 0 && t.m.push(e), L(e, P);
    for (var n = e.first; n !== null; )
      tr(n, t), n = n.next;
  }
}
function nr(e) {
  L(e, P);
  for (var t = e.first; t !== null; )
    nr(t), t = t.next;
}
let kt = /* @__PURE__ */ new Set();
const be = /* @__PURE__ */ new Map();
let rr = !1;
function je(e, t) {
  var n = {
    f: 0,
    v: e,
    reactions: null,
    equals: Wn,
    rv: 0,
    wv: 0
  };
  return n;
}
// @__NO_SIDE_EFFECTS__
function J(e, t) {
  const n = je(e);
  return wr(n), n;
}
// @__NO_SIDE_EFFECTS__
function Oi(e, t = !1, n = !0) {
  const r = je(e);
  return t || (r.equals = Kn), r;
}
function j(e, t, n = !1) {
  S !== null && // since we are untracking the function inside `$inspect.with` we need to add this check
  // to ensure we error if state is set inside an inspect effect
  (!ce || (S.f & yt) !== 0) && Jn() && (S.f & (B | fe | Ye | yt)) !== 0 && (me === null || !me.has(e)) && wi();
  let r = n ? Fe(t) : t;
  return Qe(e, r, mt);
}
var Le = null, Jt = 0;
function Qe(e, t, n = null) {
  if (!e.equals(t)) {
    Re ? be.set(e, t) : be.has(e) || be.set(e, e.v);
    var r = Oe.ensure();
    if (r.capture(e, t), (e.f & B) !== 0) {
      const i = (
        /** @type {Derived} */
        e
      );
      (e.f & R) !== 0 && an(i), ue === null && ln(i);
    }
    e.wv = mr(), Le = null, Jt = 0, ir(e, R, n), Le = null, A !== null && (A.f & P) !== 0 && (A.f & (he | Ce)) === 0 && (re === null ? Ui([e]) : re.push(e)), !r.is_fork && kt.size > 0 && !rr && Ri();
  }
  return t;
}
function Ri() {
  rr = !1;
  for (const e of kt) {
    (e.f & P) !== 0 && L(e, ee);
    let t;
    try {
      t = gt(e);
    } catch {
      t = !0;
    }
    t && Xe(e);
  }
  kt.clear();
}
function lt(e) {
  j(e, e.v + 1);
}
function ir(e, t, n) {
  var r = e.reactions;
  if (r !== null) {
    var i = r.length;
    if (Jt += i, Jt > 1e5 && Le === null && (Le = /* @__PURE__ */ new Set()), Le !== null) {
      if (Le.has(e)) return;
      Le.add(e);
    }
    for (var s = 0; s < i; s++) {
      var l = r[s], a = l.f, o = (a & R) === 0;
      if (o && L(l, t), (a & yt) !== 0)
        kt.add(
          /** @type {Effect} */
          l
        );
      else if ((a & B) !== 0) {
        var f = (
          /** @type {Derived} */
          l
        );
        ue?.delete(f), ir(f, ee, n);
      } else if (o) {
        var u = (
          /** @type {Effect} */
          l
        );
        (a & fe) !== 0 && xe !== null && xe.add(u), n !== null ? n.push(u) : un(u);
      }
    }
  }
}
function Fe(e) {
  if (typeof e != "object" || e === null || bt in e || Vn in e)
    return e;
  const t = jn(e);
  if (t !== Gr && t !== Wr)
    return e;
  var n = /* @__PURE__ */ new Map(), r = qn(e), i = /* @__PURE__ */ J(0), s = He, l = (a) => {
    if (He === s)
      return a();
    var o = S, f = He;
    se(null), xn(s);
    var u = a();
    return se(o), xn(f), u;
  };
  return r && n.set("length", /* @__PURE__ */ J(
    /** @type {any[]} */
    e.length
  )), new Proxy(
    /** @type {any} */
    e,
    {
      defineProperty(a, o, f) {
        (!("value" in f) || f.configurable === !1 || f.enumerable === !1 || f.writable === !1) && _i();
        var u = n.get(o);
        return u === void 0 ? l(() => {
          var c = /* @__PURE__ */ J(f.value);
          return n.set(o, c), c;
        }) : j(u, f.value, !0), !0;
      },
      deleteProperty(a, o) {
        var f = n.get(o);
        if (f === void 0) {
          if (o in a) {
            const u = l(() => /* @__PURE__ */ J(I));
            n.set(o, u), lt(i);
          }
        } else
          j(f, I), lt(i);
        return !0;
      },
      get(a, o, f) {
        if (o === bt)
          return e;
        var u = n.get(o), c = o in a;
        if (u === void 0 && (!c || it(a, o)?.writable) && (u = l(() => {
          var h = Fe(c ? a[o] : I), _ = /* @__PURE__ */ J(h);
          return _;
        }), n.set(o, u)), u !== void 0) {
          var v = d(u);
          return v === I ? void 0 : v;
        }
        return Reflect.get(a, o, f);
      },
      getOwnPropertyDescriptor(a, o) {
        this.has?.(a, o);
        var f = Reflect.getOwnPropertyDescriptor(a, o), u = n.get(o);
        if (u !== void 0) {
          var c = d(u);
          if (c === I)
            return;
          if (f && "value" in f)
            f.value = c;
          else
            return {
              enumerable: !0,
              configurable: !0,
              value: c,
              writable: !0
            };
        }
        return f;
      },
      has(a, o) {
        if (o === bt)
          return !0;
        var f = n.get(o), u = f !== void 0 && f.v !== I || Reflect.has(a, o);
        if (f !== void 0 || (A !== null || S !== null) && (!u || it(a, o)?.writable)) {
          f === void 0 && (f = l(() => {
            var v = u ? Fe(a[o]) : I, h = /* @__PURE__ */ J(v);
            return h;
          }), n.set(o, f));
          var c = d(f);
          if (c === I)
            return !1;
        }
        return u;
      },
      set(a, o, f, u) {
        var c = n.get(o), v = o in a;
        if (r && o === "length")
          for (var h = f; h < /** @type {Source<number>} */
          c.v; h += 1) {
            var _ = n.get(h + "");
            _ !== void 0 ? j(_, I) : h in a && (_ = l(() => /* @__PURE__ */ J(I)), n.set(h + "", _));
          }
        if (c === void 0)
          (!v || it(a, o)?.writable) && (c = l(() => /* @__PURE__ */ J(void 0)), j(c, Fe(f)), n.set(o, c));
        else {
          v = c.v !== I;
          var x = l(() => Fe(f));
          j(c, x);
        }
        var p = Reflect.getOwnPropertyDescriptor(a, o);
        if (p?.set && p.set.call(u, f), !v) {
          if (r && typeof o == "string") {
            var g = (
              /** @type {Source<number>} */
              n.get("length")
            ), y = Number(o);
            Number.isInteger(y) && y >= g.v && j(g, y + 1);
          }
          lt(i);
        }
        return !0;
      },
      ownKeys(a) {
        d(i);
        var o = Reflect.ownKeys(a).filter((c) => {
          var v = n.get(c);
          return v === void 0 || v.v !== I;
        });
        for (var [f, u] of n)
          u.v !== I && !(f in a) && o.push(f);
        return o;
      },
      setPrototypeOf() {
        gi();
      }
    }
  );
}
var mn, sr, lr, or;
function Ni() {
  if (mn === void 0) {
    mn = window, sr = /Firefox/.test(navigator.userAgent);
    var e = Element.prototype, t = Node.prototype, n = Text.prototype;
    lr = it(t, "firstChild").get, or = it(t, "nextSibling").get, gn(e) && (e[zt] = void 0, e[zn] = null, e[Yt] = void 0, e.__e = void 0), gn(n) && (n[Gt] = void 0);
  }
}
function Pe(e = "") {
  return document.createTextNode(e);
}
// @__NO_SIDE_EFFECTS__
function ct(e) {
  return (
    /** @type {TemplateNode | null} */
    lr.call(e)
  );
}
// @__NO_SIDE_EFFECTS__
function _t(e) {
  return (
    /** @type {TemplateNode | null} */
    or.call(e)
  );
}
function Ve(e, t) {
  return /* @__PURE__ */ ct(e);
}
function Pt(e, t = !1) {
  {
    var n = /* @__PURE__ */ ct(e);
    return n instanceof Comment && n.data === "" ? /* @__PURE__ */ _t(n) : n;
  }
}
function _e(e, t = !1) {
  return /* @__PURE__ */ ct(e);
}
function ne(e, t = 1, n = !1) {
  let r = e;
  for (; t--; )
    r = /** @type {TemplateNode} */
    /* @__PURE__ */ _t(r);
  return r;
}
function Li(e) {
  e.textContent = "";
}
function ar() {
  return !1;
}
function fr(e, t, n) {
  return (
    /** @type {T extends keyof HTMLElementTagNameMap ? HTMLElementTagNameMap[T] : Element} */
    n ? document.createElement(e, { is: n }) : document.createElement(e)
  );
}
function Di(e) {
  var t = A;
  if (t === null)
    return S.f |= Te, e;
  if ((t.f & Ze) === 0 && (t.f & We) === 0)
    throw e;
  ge(e, t);
}
function ge(e, t) {
  if (e === Gn)
    throw e;
  if (!(t !== null && (t.f & U) !== 0)) {
    for (; t !== null; ) {
      if ((t.f & Vt) !== 0 && (t.f & (U | ut)) === 0) {
        if ((t.f & Ze) === 0)
          throw e;
        try {
          t.b.error(e);
          return;
        } catch (n) {
          e = n;
        }
      }
      t = t.parent;
    }
    throw e;
  }
}
function Fi(e) {
  A === null && (S === null && vi(), hi()), Re && di();
}
function Ii(e, t) {
  var n = t.last;
  n === null ? t.last = t.first = e : (n.next = e, e.prev = n, t.last = e);
}
function ke(e, t) {
  var n = A;
  n !== null && (n.f & z) !== 0 && (e |= z);
  var r = {
    ctx: Y,
    deps: null,
    nodes: null,
    f: e | R | de,
    first: null,
    fn: t,
    last: null,
    next: null,
    parent: n,
    b: n && n.b,
    prev: null,
    teardown: null,
    wv: 0,
    ac: null
  };
  T?.register_created_effect(r);
  var i = r;
  if ((e & We) !== 0)
    st !== null ? st.push(r) : Oe.ensure().schedule(r);
  else if (t !== null) {
    try {
      Xe(r);
    } catch (l) {
      throw X(r), l;
    }
    i.deps === null && i.teardown === null && i.nodes === null && i.first === i.last && // either `null`, or a singular child
    (i.f & $e) === 0 && (i = i.first, (e & fe) !== 0 && (e & Ke) !== 0 && i !== null && (i.f |= Ke));
  }
  if (i !== null && (i.parent = n, n !== null && Ii(i, n), S !== null && (S.f & B) !== 0 && (e & Ce) === 0)) {
    var s = (
      /** @type {Derived} */
      S
    );
    (s.effects ??= []).push(i);
  }
  return r;
}
function cn() {
  return S !== null && !ce;
}
function ur(e) {
  const t = ke(Ct, null);
  return L(t, P), t.teardown = e, t;
}
function St(e) {
  Fi();
  var t = (
    /** @type {Effect} */
    A.f
  ), n = !S && (t & he) !== 0 && Y !== null && !Y.i;
  if (n) {
    var r = (
      /** @type {ComponentContext} */
      Y
    );
    (r.e ??= []).push(e);
  } else
    return cr(e);
}
function cr(e) {
  return ke(We | Zr, e);
}
function Pi(e) {
  Oe.ensure();
  const t = ke(Ce | $e, e);
  return (n = {}) => new Promise((r) => {
    n.outro ? qe(t, () => {
      X(t), r(void 0);
    }) : (X(t), r(void 0));
  });
}
function dr(e) {
  return ke(We, e);
}
function qi(e) {
  return ke(Ye | $e, e);
}
function hr(e, t = 0) {
  return ke(Ct | t, e);
}
function ae(e, t = [], n = [], r = []) {
  xi(r, t, n, (i) => {
    ke(Ct, () => {
      e(...i.map(d));
    });
  });
}
function Ot(e, t = 0) {
  var n = ke(fe | t, e);
  return n;
}
function ie(e) {
  return ke(he | $e, e);
}
function vr(e) {
  var t = e.teardown;
  if (t !== null) {
    const n = Re, r = S;
    yn(!0), se(null);
    try {
      t.call(null);
    } catch (i) {
      ge(i, e.parent);
    } finally {
      yn(n), se(r);
    }
  }
}
function dn(e, t = !1) {
  var n = e.first;
  for (e.first = e.last = null; n !== null; ) {
    const i = n.ac;
    i !== null && pt(() => {
      i.abort(vt);
    });
    var r = n.next;
    (n.f & Ce) !== 0 ? n.parent = null : X(n, t), n = r;
  }
}
function Hi(e) {
  for (var t = e.first; t !== null; ) {
    var n = t.next;
    (t.f & he) === 0 && X(t), t = n;
  }
}
function X(e, t = !0) {
  var n = !1;
  (t || (e.f & Xr) !== 0) && e.nodes !== null && e.nodes.end !== null && (ji(
    e.nodes.start,
    /** @type {TemplateNode} */
    e.nodes.end
  ), n = !0), e.f |= ut, dn(e, t && !n), dt(e, 0);
  var r = e.nodes && e.nodes.t;
  if (r !== null)
    for (const s of r)
      s.stop();
  vr(e), e.f ^= ut, e.f |= U;
  var i = e.parent;
  i !== null && i.first !== null && pr(e), e.next = e.prev = e.teardown = e.ctx = e.deps = e.fn = e.nodes = e.ac = e.b = null;
}
function ji(e, t) {
  for (; e !== null; ) {
    var n = e === t ? null : /* @__PURE__ */ _t(e);
    e.remove(), e = n;
  }
}
function pr(e) {
  var t = e.parent, n = e.prev, r = e.next;
  n !== null && (n.next = r), r !== null && (r.prev = n), t !== null && (t.first === e && (t.first = r), t.last === e && (t.last = n));
}
function qe(e, t, n = !0) {
  var r = [];
  e.f |= tn, _r(e, r, !0);
  var i = () => {
    n && X(e), t && t();
  }, s = r.length;
  if (s > 0) {
    var l = () => --s || i();
    for (var a of r)
      a.out(l);
  } else
    i();
}
function _r(e, t, n) {
  if ((e.f & z) === 0) {
    e.f ^= z;
    var r = e.nodes && e.nodes.t;
    if (r !== null)
      for (const a of r)
        (a.is_global || n) && t.push(a);
    for (var i = e.first; i !== null; ) {
      var s = i.next;
      if ((i.f & Ce) === 0) {
        var l = (i.f & Ke) !== 0 || // If this is a branch effect without a block effect parent,
        // it means the parent block effect was pruned. In that case,
        // transparency information was transferred to the branch effect.
        (i.f & he) !== 0 && (e.f & fe) !== 0;
        _r(i, t, l ? n : !1);
      }
      i = s;
    }
  }
}
function At(e) {
  e.f &= ~tn, gr(e, !0);
}
function gr(e, t) {
  if ((e.f & tn) === 0 && (e.f & z) !== 0) {
    e.f ^= z, (e.f & P) === 0 && (L(e, R), Oe.ensure().schedule(e));
    for (var n = e.first; n !== null; ) {
      var r = n.next, i = (n.f & Ke) !== 0 || (n.f & he) !== 0;
      gr(n, i ? t : !1), n = r;
    }
    var s = e.nodes && e.nodes.t;
    if (s !== null)
      for (const l of s)
        (l.is_global || t) && l.in();
  }
}
function hn(e, t) {
  if (e.nodes)
    for (var n = e.nodes.start, r = e.nodes.end; n !== null; ) {
      var i = n === r ? null : /* @__PURE__ */ _t(n);
      t.append(n), n = i;
    }
}
let Re = !1;
function yn(e) {
  Re = e;
}
let S = null, ce = !1;
function se(e) {
  S = e;
}
let A = null;
function ye(e) {
  A = e;
}
let me = null;
function wr(e) {
  S !== null && ((S.f & xt) !== 0 || (S.f & B) !== 0) && (me ??= /* @__PURE__ */ new Set()).add(e);
}
let Q = null, $ = 0, re = null;
function Ui(e) {
  re = e;
}
let br = 1, Ie = 0, He = Ie;
function xn(e) {
  He = e;
}
function mr() {
  return ++br;
}
function gt(e) {
  var t = e.f;
  if ((t & R) !== 0)
    return !0;
  if ((t & ee) !== 0) {
    for (var n = (
      /** @type {Value[]} */
      e.deps
    ), r = n.length, i = 0; i < r; i++) {
      var s = n[i];
      if (gt(
        /** @type {Derived} */
        s
      ) && Zn(
        /** @type {Derived} */
        s
      ), s.wv > e.wv)
        return !0;
    }
    (t & de) !== 0 && // During time traveling we don't want to reset the status so that
    // traversal of the graph in the other batches still happens
    ue === null && L(e, P);
  }
  return !1;
}
function yr(e, t, n = !0) {
  var r = e.reactions;
  if (r !== null && !(me !== null && me.has(e)))
    for (var i = 0; i < r.length; i++) {
      var s = r[i];
      (s.f & B) !== 0 ? yr(
        /** @type {Derived} */
        s,
        t,
        !1
      ) : t === s && (n ? L(s, R) : (s.f & P) !== 0 && L(s, ee), un(
        /** @type {Effect} */
        s
      ));
    }
}
function xr(e) {
  var t = Q, n = $, r = re, i = S, s = me, l = Y, a = ce, o = He, f = e.f;
  Q = /** @type {null | Value[]} */
  null, $ = 0, re = null, S = (f & (he | Ce)) === 0 ? e : null, me = null, Je(e.ctx), ce = !1, He = ++Ie, e.ac !== null && (pt(() => {
    e.ac.abort(vt);
  }), e.ac = null);
  try {
    e.f |= xt;
    var u = (
      /** @type {Function} */
      e.fn
    ), c = u();
    e.f |= Ze;
    var v = En(e);
    if (Jn() && re !== null && !ce && v !== null && (e.f & (B | ee | R)) === 0)
      for (var h = 0; h < /** @type {Source[]} */
      re.length; h++)
        yr(
          re[h],
          /** @type {Effect} */
          e
        );
    if (i !== null && i !== e) {
      if (Ie++, i.deps !== null)
        for (let _ = 0; _ < n; _ += 1)
          i.deps[_].rv = Ie;
      if (t !== null)
        for (const _ of t)
          _.rv = Ie;
      re !== null && (r === null ? r = re : r.push(.../** @type {Source[]} */
      re));
    }
    return (e.f & Te) !== 0 && (e.f ^= Te), c;
  } catch (_) {
    return En(e), Di(_);
  } finally {
    e.f ^= xt, Q = t, $ = n, re = r, S = i, me = s, Je(l), ce = a, He = o;
  }
}
function En(e) {
  var t = e.deps, n = T?.is_fork;
  if (Q !== null) {
    var r;
    if (n || dt(e, $), t !== null && $ > 0)
      for (t.length = $ + Q.length, r = 0; r < Q.length; r++)
        t[$ + r] = Q[r];
    else
      e.deps = t = Q;
    if (cn() && (e.f & de) !== 0)
      for (r = $; r < t.length; r++)
        (t[r].reactions ??= []).push(e);
  } else !n && t !== null && $ < t.length && (dt(e, $), t.length = $);
  return t;
}
function Bi(e, t) {
  let n = t.reactions;
  if (n !== null) {
    var r = zr.call(n, e);
    if (r !== -1) {
      var i = n.length - 1;
      i === 0 ? n = t.reactions = null : (n[r] = n[i], n.pop());
    }
  }
  if (n === null && (t.f & B) !== 0 && // Destroying a child effect while updating a parent effect can cause a dependency to appear
  // to be unused, when in fact it is used by the currently-updating parent. Checking `new_deps`
  // allows us to skip the expensive work of disconnecting and immediately reconnecting it
  (Q === null || !ft.call(Q, t))) {
    var s = (
      /** @type {Derived} */
      t
    );
    (s.f & de) !== 0 && (s.f ^= de), s.v !== I && ln(s), s.ac !== null && pt(() => {
      s.ac.abort(vt), s.ac = null, L(s, R);
    }), Mi(s), dt(s, 0);
  }
}
function dt(e, t) {
  var n = e.deps;
  if (n !== null)
    for (var r = t; r < n.length; r++)
      Bi(e, n[r]);
}
function Xe(e) {
  var t = e.f;
  if ((t & U) === 0) {
    L(e, P);
    var n = A;
    A = e;
    try {
      (t & (fe | Bn)) !== 0 ? Hi(e) : dn(e), vr(e);
      var r = xr(e);
      e.teardown = typeof r == "function" ? r : null, e.wv = br;
      var i;
    } finally {
      A = n;
    }
  }
}
function d(e) {
  var t = e.f, n = (t & B) !== 0;
  if (S !== null && !ce) {
    var r = A !== null && (A.f & U) !== 0;
    if (!r && (me === null || !me.has(e))) {
      var i = S.deps;
      if ((S.f & xt) !== 0)
        e.rv < Ie && (e.rv = Ie, Q === null && i !== null && i[$] === e ? $++ : Q === null ? Q = [e] : Q.push(e));
      else {
        S.deps ??= [], ft.call(S.deps, e) || S.deps.push(e);
        var s = e.reactions;
        s === null ? e.reactions = [S] : ft.call(s, S) || s.push(S);
      }
    }
  }
  if (Re && be.has(e))
    return be.get(e);
  if (n) {
    var l = (
      /** @type {Derived} */
      e
    );
    if (Re) {
      var a = l.v;
      return ((l.f & P) === 0 && l.reactions !== null || kr(l)) && (a = an(l)), be.set(l, a), a;
    }
    var o = (l.f & de) === 0 && !ce && S !== null && (S.f & de) !== 0, f = (l.f & Ze) === 0;
    gt(l) && (o && (l.f |= de), Zn(l)), o && !f && ($n(l), Er(l));
  }
  if (ue?.has(e))
    return ue.get(e);
  if ((e.f & Te) !== 0)
    throw e.v;
  return e.v;
}
function Er(e) {
  if (e.f |= de, e.deps !== null)
    for (const n of e.deps) {
      var t = n.reactions;
      t === null ? n.reactions = [e] : ft.call(t, e) || t.push(e), (n.f & B) !== 0 && (n.f & de) === 0 && ($n(
        /** @type {Derived} */
        n
      ), Er(
        /** @type {Derived} */
        n
      ));
    }
}
function kr(e) {
  if (e.v === I) return !0;
  if (e.deps === null) return !1;
  for (const t of e.deps)
    if (be.has(t) || (t.f & B) !== 0 && kr(
      /** @type {Derived} */
      t
    ))
      return !0;
  return !1;
}
function Sr(e) {
  var t = ce;
  try {
    return ce = !0, e();
  } finally {
    ce = t;
  }
}
const Vi = ["touchstart", "touchmove"];
function zi(e) {
  return Vi.includes(e);
}
const nt = Symbol("events"), Ar = /* @__PURE__ */ new Set(), Qt = /* @__PURE__ */ new Set();
function Yi(e, t, n, r = {}) {
  function i(s) {
    if (r.capture || Xt.call(t, s), !s.cancelBubble)
      return pt(() => n?.call(this, s));
  }
  return e.startsWith("pointer") || e.startsWith("touch") || e === "wheel" ? (i.__removed = !1, Ee(() => {
    i.__removed || t.addEventListener(e, i, r);
  })) : t.addEventListener(e, i, r), i;
}
function qt(e, t, n, r, i) {
  var s = { capture: r, passive: i }, l = Yi(e, t, n, s);
  (t === document.body || // @ts-ignore
  t === window || // @ts-ignore
  t === document || // Firefox has quirky behavior, it can happen that we still get "canplay" events when the element is already removed
  t instanceof HTMLMediaElement) && ur(() => {
    l.__removed = !0, t.removeEventListener(e, l, s);
  });
}
function Me(e, t, n) {
  (t[nt] ??= {})[e] = n;
}
function Mr(e) {
  for (var t = 0; t < e.length; t++)
    Ar.add(e[t]);
  for (var n of Qt)
    n(e);
}
let Ht = null, jt = !1;
function Xt(e) {
  var t = this, n = (
    /** @type {Node} */
    t.ownerDocument
  ), r = e.type, i = e.composedPath?.() || [], s = (
    /** @type {null | Element} */
    i[0] || e.target
  );
  Ht = e, jt || (jt = !0, setTimeout(() => {
    jt = !1, Ht = null;
  }));
  var l = 0, a = Ht === e && e[nt];
  if (a) {
    var o = i.indexOf(a);
    if (o !== -1 && (t === document || t === /** @type {any} */
    window)) {
      e[nt] = t;
      return;
    }
    var f = i.indexOf(t);
    if (f === -1)
      return;
    o <= f && (l = o);
  }
  if (s = /** @type {Element} */
  i[l] || e.target, s !== t) {
    Hn(e, "currentTarget", {
      configurable: !0,
      get() {
        return s || n;
      }
    });
    var u = S, c = A;
    se(null), ye(null);
    try {
      for (var v, h = []; s !== null && s !== t; ) {
        try {
          var _ = s[nt]?.[r];
          _ != null && (!/** @type {any} */
          s.disabled || // DOM could've been updated already by the time this is reached, so we check this as well
          // -> the target could not have been disabled because it emits the event in the first place
          e.target === s) && _.call(s, e);
        } catch (x) {
          v ? h.push(x) : v = x;
        }
        if (e.cancelBubble) break;
        l++, s = l < i.length ? (
          /** @type {Element} */
          i[l]
        ) : null;
      }
      if (v) {
        for (let x of h)
          queueMicrotask(() => {
            throw x;
          });
        throw v;
      }
    } finally {
      e[nt] = t, delete e.currentTarget, se(u), ye(c);
    }
  }
}
const Gi = (
  // We gotta write it like this because after downleveling the pure comment may end up in the wrong location
  globalThis?.window?.trustedTypes && /* @__PURE__ */ globalThis.window.trustedTypes.createPolicy("svelte-trusted-html", {
    /** @param {string} html */
    createHTML: (e) => e
  })
);
function Wi(e) {
  return (
    /** @type {string} */
    Gi?.createHTML(e) ?? e
  );
}
function Ki(e) {
  var t = fr("template");
  return t.innerHTML = Wi(e.replaceAll("<!>", "<!---->")), t.content;
}
function kn(e, t) {
  var n = (
    /** @type {Effect} */
    A
  );
  n.nodes === null && (n.nodes = { start: e, end: t, a: null, t: null });
}
// @__NO_SIDE_EFFECTS__
function Z(e, t) {
  var n = (t & ii) !== 0, r = (t & si) !== 0, i, s = !e.startsWith("<!>");
  return () => {
    i === void 0 && (i = Ki(s ? e : "<!>" + e), n || (i = /** @type {TemplateNode} */
    /* @__PURE__ */ ct(i)));
    var l = (
      /** @type {TemplateNode} */
      r || sr ? document.importNode(i, !0) : i.cloneNode(!0)
    );
    if (n) {
      var a = (
        /** @type {TemplateNode} */
        /* @__PURE__ */ ct(l)
      ), o = (
        /** @type {TemplateNode} */
        l.lastChild
      );
      kn(a, o);
    } else
      kn(l, l);
    return l;
  };
}
function V(e, t) {
  e !== null && e.before(
    /** @type {Node} */
    t
  );
}
function Ji(e) {
  let t = 0, n = je(0), r;
  return () => {
    cn() && (d(n), hr(() => (t === 0 && (r = Sr(() => e(() => lt(n)))), t += 1, () => {
      Ee(() => {
        t -= 1, t === 0 && (r?.(), r = void 0, lt(n));
      });
    })));
  };
}
var Qi = Ke | $e;
function Xi(e, t, n, r) {
  new Zi(e, t, n, r);
}
class Zi {
  /** @type {Boundary | null} */
  parent;
  is_pending = !1;
  /**
   * API-level transformError transform function. Transforms errors before they reach the `failed` snippet.
   * Inherited from parent boundary, or defaults to identity.
   * @type {(error: unknown) => unknown}
   */
  transform_error;
  /** @type {TemplateNode} */
  #t;
  /** @type {TemplateNode | null} */
  #a = null;
  /** @type {BoundaryProps} */
  #e;
  /** @type {((anchor: Node) => void)} */
  #l;
  /** @type {Effect} */
  #n;
  /** @type {Effect | null} */
  #r = null;
  /** @type {Effect | null} */
  #s = null;
  /** @type {Effect | null} */
  #i = null;
  /** @type {DocumentFragment | null} */
  #o = null;
  #h = 0;
  #f = 0;
  #v = !1;
  /** @type {Map<Effect, number>} */
  #g = /* @__PURE__ */ new Map();
  /**
   * A source containing the number of pending async deriveds/expressions.
   * Only created if `$effect.pending()` is used inside the boundary,
   * otherwise updating the source results in needless `Batch.ensure()`
   * calls followed by no-op flushes
   * @type {Source<number> | null}
   */
  #u = null;
  #p = Ji(() => (this.#u = je(this.#h), () => {
    this.#u = null;
  }));
  /**
   * @param {TemplateNode} node
   * @param {BoundaryProps} props
   * @param {((anchor: Node) => void)} children
   * @param {((error: unknown) => unknown) | undefined} [transform_error]
   */
  constructor(t, n, r, i) {
    this.#t = t, this.#e = n, this.#l = (s) => {
      var l = (
        /** @type {Effect} */
        A
      );
      l.b = this, l.f |= Vt, r(s);
    }, this.parent = /** @type {Effect} */
    A.b, this.transform_error = i ?? this.parent?.transform_error ?? ((s) => s), this.#n = Ot(() => {
      this.#m();
    }, Qi);
  }
  #b() {
    try {
      this.#r = ie(() => this.#l(this.#t));
    } catch (t) {
      this.error(t);
    }
  }
  /**
   * @param {unknown} error The deserialized error from the server's hydration comment
   */
  #x(t) {
    const n = this.#e.failed, { reset: r, invoke_onerror: i } = this.#w(t);
    Ee(i), n && (this.#i = ie(() => {
      n(
        this.#t,
        () => t,
        () => r
      );
    }));
  }
  /**
   * Creates the `reset` function for a failed boundary, along with a function
   * that invokes `onerror` with it (if provided)
   * @param {unknown} error
   * @returns {{ reset: () => void, invoke_onerror: () => void }}
   */
  #w(t) {
    var n = !1, r = !1;
    const i = () => {
      if (!this.#c()) {
        if (n) {
          ai();
          return;
        }
        n = !0, r && bi(), this.#i !== null && qe(this.#i, () => {
          this.#i = null;
        }), this.#y(() => {
          this.#m();
        });
      }
    };
    return { reset: i, invoke_onerror: () => {
      if (!this.#c())
        try {
          r = !0, this.#e.onerror?.(t, i), r = !1;
        } catch (l) {
          ge(l, this.#n && this.#n.parent);
        }
    } };
  }
  #c() {
    return (this.#n.f & (U | ut)) !== 0;
  }
  #_() {
    const t = this.#e.pending;
    t && (this.is_pending = !0, this.#s = ie(() => t(this.#t)), Ee(() => {
      if (!this.#c()) {
        var n = this.#o = document.createDocumentFragment(), r = Pe(), i = !1;
        if (n.append(r), this.#r = this.#y(() => {
          try {
            return ie(() => this.#l(r));
          } catch (s) {
            try {
              this.error(s), i = !0;
            } catch (l) {
              ge(l, this.#n.parent);
            }
            return null;
          }
        }), this.#r === null) {
          this.#o = null, i && this.#d(
            /** @type {Batch} */
            T
          );
          return;
        }
        this.#f === 0 && (this.#t.before(n), this.#o = null, qe(
          /** @type {Effect} */
          this.#s,
          () => {
            this.#s = null;
          }
        ), this.#d(
          /** @type {Batch} */
          T
        ));
      }
    }));
  }
  #m() {
    try {
      if (this.is_pending = this.has_pending_snippet(), this.#f = 0, this.#h = 0, this.#r = ie(() => {
        this.#l(this.#t);
      }), this.#f > 0) {
        var t = this.#o = document.createDocumentFragment();
        hn(this.#r, t);
        const n = (
          /** @type {(anchor: Node) => void} */
          this.#e.pending
        );
        this.#s = ie(() => n(this.#t));
      } else
        this.#d(
          /** @type {Batch} */
          T
        );
    } catch (n) {
      this.error(n);
    }
  }
  /**
   * @param {Batch} batch
   */
  #d(t) {
    this.is_pending = !1, t.transfer_reactions(this.#g);
  }
  /**
   * Defer an effect inside a pending boundary until the boundary resolves
   * @param {Effect} effect
   */
  defer_effect(t) {
    Qn(t, this.#g);
  }
  /**
   * Returns `false` if the effect exists inside a boundary whose pending snippet is shown
   * @returns {boolean}
   */
  is_rendered() {
    return !this.is_pending && (!this.parent || this.parent.is_rendered());
  }
  has_pending_snippet() {
    return !!this.#e.pending;
  }
  /**
   * @template T
   * @param {() => T} fn
   */
  #y(t) {
    var n = A, r = S, i = Y;
    ye(this.#n), se(this.#n), Je(this.#n.ctx);
    try {
      return Oe.ensure(), t();
    } finally {
      ye(n), se(r), Je(i);
    }
  }
  /**
   * Updates the pending count associated with the currently visible pending snippet,
   * if any, such that we can replace the snippet with content once work is done
   * @param {1 | -1} d
   * @param {Batch} batch
   */
  #E(t, n) {
    if (!this.has_pending_snippet()) {
      this.parent && this.parent.#E(t, n);
      return;
    }
    this.#f += t, this.#f === 0 && (this.#d(n), this.#s && qe(this.#s, () => {
      this.#s = null;
    }), this.#o && (this.#t.before(this.#o), this.#o = null));
  }
  /**
   * Update the source that powers `$effect.pending()` inside this boundary,
   * and controls when the current `pending` snippet (if any) is removed.
   * Do not call from inside the class
   * @param {1 | -1} d
   * @param {Batch} batch
   */
  update_pending_count(t, n) {
    this.#E(t, n), this.#h += t, !(!this.#u || this.#v) && (this.#v = !0, Ee(() => {
      this.#v = !1, this.#u && Qe(this.#u, this.#h);
    }));
  }
  get_effect_pending() {
    return this.#p(), d(
      /** @type {Source<number>} */
      this.#u
    );
  }
  /** @param {unknown} error */
  error(t) {
    if (t === Gn || !this.#e.onerror && !this.#e.failed)
      throw t;
    T?.is_fork ? (this.#r && T.skip_effect(this.#r), this.#s && T.skip_effect(this.#s), this.#i && T.skip_effect(this.#i), T.oncommit(() => {
      this.#c() || this.#k(t);
    })) : this.#k(t);
  }
  /**
   * @param {unknown} error
   */
  #k(t) {
    this.#r && (X(this.#r), this.#r = null), this.#s && (X(this.#s), this.#s = null), this.#i && (X(this.#i), this.#i = null);
    let n = this.#e.failed;
    const r = (i) => {
      if (this.#c()) return;
      const { reset: s, invoke_onerror: l } = this.#w(i);
      l(), n && !this.#c() && (this.#i = this.#y(() => {
        try {
          return ie(() => {
            var a = (
              /** @type {Effect} */
              A
            );
            a.b = this, a.f |= Vt, n(
              this.#t,
              () => i,
              () => s
            );
          });
        } catch (a) {
          return ge(
            a,
            /** @type {Effect} */
            this.#n.parent
          ), null;
        }
      }));
    };
    Ee(() => {
      if (!this.#c()) {
        var i;
        try {
          i = this.transform_error(t);
        } catch (s) {
          ge(s, this.#n && this.#n.parent);
          return;
        }
        i !== null && typeof i == "object" && typeof /** @type {any} */
        i.then == "function" ? i.then(
          r,
          /** @param {unknown} e */
          (s) => ge(s, this.#n && this.#n.parent)
        ) : r(i);
      }
    });
  }
}
function oe(e, t) {
  var n = t == null ? "" : typeof t == "object" ? `${t}` : t;
  n !== /** @type {any} */
  (e[Gt] ??= e.nodeValue) && (e[Gt] = n, e.nodeValue = `${n}`);
}
function $i(e, t) {
  return es(e, t);
}
const wt = /* @__PURE__ */ new Map();
function es(e, { target: t, anchor: n, props: r = {}, events: i, context: s, intro: l = !0, transformError: a }) {
  Ni();
  var o = void 0, f = Pi(() => {
    var u = n ?? t.appendChild(Pe());
    Xi(
      /** @type {TemplateNode} */
      u,
      {
        pending: () => {
        }
      },
      (h) => {
        nn({});
        var _ = (
          /** @type {ComponentContext} */
          Y
        );
        s && (_.c = s), i && (r.$$events = i), o = e(h, r) || sn(), rn();
      },
      a
    );
    var c = /* @__PURE__ */ new Set(), v = (h) => {
      for (var _ = 0; _ < h.length; _++) {
        var x = h[_];
        if (!c.has(x)) {
          c.add(x);
          var p = zi(x);
          for (const E of [t, document]) {
            var g = wt.get(E);
            g === void 0 && (g = /* @__PURE__ */ new Map(), wt.set(E, g));
            var y = g.get(x);
            y === void 0 ? (E.addEventListener(x, Xt, { passive: p }), g.set(x, 1)) : g.set(x, y + 1);
          }
        }
      }
    };
    return v(Tt(Ar)), Qt.add(v), () => {
      for (var h of c)
        for (const p of [t, document]) {
          var _ = (
            /** @type {Map<string, number>} */
            wt.get(p)
          ), x = (
            /** @type {number} */
            _.get(h)
          );
          --x == 0 ? (p.removeEventListener(h, Xt), _.delete(h), _.size === 0 && wt.delete(p)) : _.set(h, x);
        }
      Qt.delete(v), u !== n && u.parentNode?.removeChild(u);
    };
  });
  return Zt.set(o, f), o;
}
let Zt = /* @__PURE__ */ new WeakMap();
function ts(e, t) {
  const n = Zt.get(e);
  return n ? (Zt.delete(e), n(t)) : Promise.resolve();
}
class Tr {
  /** @type {TemplateNode} */
  anchor;
  /** @type {Map<Batch, Key>} */
  #t = /* @__PURE__ */ new Map();
  /**
   * Map of keys to effects that are currently rendered in the DOM.
   * These effects are visible and actively part of the document tree.
   * Example:
   * ```
   * {#if condition}
   * 	foo
   * {:else}
   * 	bar
   * {/if}
   * ```
   * Can result in the entries `true->Effect` and `false->Effect`
   * @type {Map<Key, Effect>}
   */
  #a = /* @__PURE__ */ new Map();
  /**
   * Similar to #onscreen with respect to the keys, but contains branches that are not yet
   * in the DOM, because their insertion is deferred.
   * @type {Map<Key, Branch>}
   */
  #e = /* @__PURE__ */ new Map();
  /**
   * Keys of effects that are currently outroing
   * @type {Set<Key>}
   */
  #l = /* @__PURE__ */ new Set();
  /**
   * Whether to pause (i.e. outro) on change, or destroy immediately.
   * This is necessary for `<svelte:element>`
   */
  #n = !0;
  /**
   * @param {TemplateNode} anchor
   * @param {boolean} transition
   */
  constructor(t, n = !0) {
    this.anchor = t, this.#n = n;
  }
  /**
   * @param {Batch} batch
   */
  #r = (t) => {
    if (this.#t.has(t)) {
      var n = (
        /** @type {Key} */
        this.#t.get(t)
      ), r = this.#a.get(n);
      if (r)
        At(r), this.#l.delete(n);
      else {
        var i = this.#e.get(n);
        i && (At(i.effect), this.#a.set(n, i.effect), this.#e.delete(n), i.fragment.lastChild.remove(), this.anchor.before(i.fragment), r = i.effect);
      }
      for (const [s, l] of this.#t) {
        if (this.#t.delete(s), s === t)
          break;
        const a = this.#e.get(l);
        a && (X(a.effect), this.#e.delete(l));
      }
      for (const [s, l] of this.#a) {
        if (s === n || this.#l.has(s)) continue;
        const a = () => {
          if (Array.from(this.#t.values()).includes(s)) {
            var f = document.createDocumentFragment();
            hn(l, f), f.append(Pe()), this.#e.set(s, { effect: l, fragment: f });
          } else
            X(l);
          this.#l.delete(s), this.#a.delete(s);
        };
        this.#n || !r ? (this.#l.add(s), qe(l, a, !1)) : a();
      }
    }
  };
  /**
   * @param {Batch} batch
   */
  #s = (t) => {
    this.#t.delete(t);
    const n = Array.from(this.#t.values());
    for (const [r, i] of this.#e)
      n.includes(r) || (X(i.effect), this.#e.delete(r));
  };
  /**
   *
   * @param {any} key
   * @param {null | ((target: TemplateNode) => void)} fn
   */
  ensure(t, n) {
    var r = (
      /** @type {Batch} */
      T
    ), i = ar();
    if (n && !this.#a.has(t) && !this.#e.has(t))
      if (i) {
        var s = document.createDocumentFragment(), l = Pe();
        s.append(l), this.#e.set(t, {
          effect: ie(() => n(l)),
          fragment: s
        });
      } else
        this.#a.set(
          t,
          ie(() => n(this.anchor))
        );
    if (this.#t.set(r, t), i) {
      for (const [a, o] of this.#a)
        a === t ? r.unskip_effect(o) : r.skip_effect(o);
      for (const [a, o] of this.#e)
        a === t ? r.unskip_effect(o.effect) : r.skip_effect(o.effect);
      r.oncommit(this.#r), r.ondiscard(this.#s);
    } else
      this.#r(r);
  }
}
function Ne(e, t, n = !1) {
  var r = new Tr(e), i = n ? Ke : 0;
  function s(l, a) {
    r.ensure(l, a);
  }
  Ot(() => {
    var l = !1;
    t((a, o = 0) => {
      l = !0, s(o, a);
    }), l || s(-1, null);
  }, i);
}
const ns = Symbol("NaN");
function rs(e, t, n) {
  var r = new Tr(e);
  Ot(() => {
    var i = t();
    i !== i && (i = /** @type {any} */
    ns), r.ensure(i, n);
  });
}
function Sn(e, t) {
  return t;
}
function is(e, t, n) {
  for (var r = [], i = t.length, s, l = t.length, a = 0; a < i; a++) {
    let c = t[a];
    qe(
      c,
      () => {
        if (s) {
          if (s.pending.delete(c), s.done.add(c), s.pending.size === 0) {
            var v = (
              /** @type {Set<EachOutroGroup>} */
              e.outrogroups
            );
            $t(e, Tt(s.done)), v.delete(s), v.size === 0 && (e.outrogroups = null);
          }
        } else
          l -= 1;
      },
      !1
    );
  }
  if (l === 0) {
    var o = r.length === 0 && n !== null && e.pending.size === 0;
    if (o) {
      var f = (
        /** @type {Element} */
        n
      ), u = (
        /** @type {Element} */
        f.parentNode
      );
      Li(u), u.append(f), e.items.clear();
    }
    $t(e, t, !o);
  } else
    s = {
      pending: new Set(t),
      done: /* @__PURE__ */ new Set()
    }, (e.outrogroups ??= /* @__PURE__ */ new Set()).add(s);
}
function $t(e, t, n = !0) {
  var r;
  if (e.pending.size > 0) {
    r = /* @__PURE__ */ new Set();
    for (const l of e.pending.values())
      for (const a of l)
        r.add(
          /** @type {EachItem} */
          e.items.get(a).e
        );
  }
  for (var i = 0; i < t.length; i++) {
    var s = t[i];
    if (r?.has(s)) {
      s.f |= we;
      const l = document.createDocumentFragment();
      hn(s, l);
    } else
      X(t[i], n);
  }
}
var An;
function ot(e, t, n, r, i, s = null) {
  var l = e, a = /* @__PURE__ */ new Map(), o = (t & Yn) !== 0;
  if (o) {
    var f = (
      /** @type {Element} */
      e
    );
    l = f.appendChild(Pe());
  }
  var u = null, c = /* @__PURE__ */ Si(() => {
    var y = n();
    return (
      /** @type {V[]} */
      qn(y) ? y : y == null ? [] : Tt(y)
    );
  }), v = /* @__PURE__ */ new Map(), h = !0;
  function _(y) {
    if ((g.effect.f & U) === 0) {
      g.pending.delete(y);
      var E = d(c);
      g.fallback = u, ss(g, E, l, t, r), u !== null && (E.length === 0 ? (u.f & we) === 0 ? At(u) : (u.f ^= we, rt(u, null, l)) : qe(u, () => {
        u = null;
      }));
    }
  }
  function x(y) {
    g.pending.delete(y);
  }
  var p = Ot(() => {
    for (var y = (
      /** @type {V[]} */
      d(c)
    ), E = y.length, C = /* @__PURE__ */ new Set(), w = (
      /** @type {Batch} */
      T
    ), b = ar(), k = 0; k < E; k += 1) {
      var D = y[k], q = r(D, k), N = h ? null : a.get(q);
      N ? (N.v && Qe(N.v, D), N.i && Qe(N.i, k), b && w.unskip_effect(N.e)) : (N = ls(
        a,
        h ? l : An ??= Pe(),
        D,
        q,
        k,
        i,
        t,
        n
      ), h || (N.e.f |= we), a.set(q, N)), C.add(q);
    }
    if (E === 0 && s && !u && (h ? u = ie(() => s(l)) : (u = ie(() => s(An ??= Pe())), u.f |= we)), E > C.size && ci(), !h)
      if (v.set(w, C), b) {
        for (const [Se, G] of a)
          C.has(Se) || w.skip_effect(G.e);
        w.oncommit(_), w.ondiscard(x);
      } else
        _(w);
    d(c);
  }), g = { effect: p, items: a, pending: v, outrogroups: null, fallback: u };
  h = !1;
}
function et(e) {
  for (; e !== null && (e.f & he) === 0; )
    e = e.next;
  return e;
}
function ss(e, t, n, r, i) {
  var s = (r & ni) !== 0, l = t.length, a = e.items, o = et(e.effect.first), f, u = null, c, v = [], h = [], _, x, p, g;
  if (s)
    for (g = 0; g < l; g += 1)
      _ = t[g], x = i(_, g), p = /** @type {EachItem} */
      a.get(x).e, (p.f & we) === 0 && (p.nodes?.a?.measure(), (c ??= /* @__PURE__ */ new Set()).add(p));
  for (g = 0; g < l; g += 1) {
    if (_ = t[g], x = i(_, g), p = /** @type {EachItem} */
    a.get(x).e, e.outrogroups !== null)
      for (const N of e.outrogroups)
        N.pending.delete(p), N.done.delete(p);
    if ((p.f & z) !== 0 && (At(p), s && (p.nodes?.a?.unfix(), (c ??= /* @__PURE__ */ new Set()).delete(p))), (p.f & we) !== 0)
      if (p.f ^= we, p === o)
        rt(p, null, n);
      else {
        var y = u ? u.next : o;
        p === e.effect.last && (e.effect.last = p.prev), p.prev && (p.prev.next = p.next), p.next && (p.next.prev = p.prev), Ae(e, u, p), Ae(e, p, y), rt(p, y, n), u = p, v = [], h = [], o = et(u.next);
        continue;
      }
    if (p !== o) {
      if (f !== void 0 && f.has(p)) {
        if (v.length < h.length) {
          var E = h[0], C;
          u = E.prev;
          var w = v[0], b = v[v.length - 1];
          for (C = 0; C < v.length; C += 1)
            rt(v[C], E, n);
          for (C = 0; C < h.length; C += 1)
            f.delete(h[C]);
          Ae(e, w.prev, b.next), Ae(e, u, w), Ae(e, b, E), o = E, u = b, g -= 1, v = [], h = [];
        } else
          f.delete(p), rt(p, o, n), Ae(e, p.prev, p.next), Ae(e, p, u === null ? e.effect.first : u.next), Ae(e, u, p), u = p;
        continue;
      }
      for (v = [], h = []; o !== null && o !== p; )
        (f ??= /* @__PURE__ */ new Set()).add(o), h.push(o), o = et(o.next);
      if (o === null)
        continue;
    }
    (p.f & we) === 0 && v.push(p), u = p, o = et(p.next);
  }
  if (e.outrogroups !== null) {
    for (const N of e.outrogroups)
      N.pending.size === 0 && ($t(e, Tt(N.done)), e.outrogroups?.delete(N));
    e.outrogroups.size === 0 && (e.outrogroups = null);
  }
  if (o !== null || f !== void 0) {
    var k = [];
    if (f !== void 0)
      for (p of f)
        (p.f & z) === 0 && k.push(p);
    for (; o !== null; )
      (o.f & z) === 0 && o !== e.fallback && k.push(o), o = et(o.next);
    var D = k.length;
    if (D > 0) {
      var q = (r & Yn) !== 0 && l === 0 ? n : null;
      if (s) {
        for (g = 0; g < D; g += 1)
          k[g].nodes?.a?.measure();
        for (g = 0; g < D; g += 1)
          k[g].nodes?.a?.fix();
      }
      is(e, k, q);
    }
  }
  s && Ee(() => {
    if (c !== void 0)
      for (p of c)
        p.nodes?.a?.apply();
  });
}
function ls(e, t, n, r, i, s, l, a) {
  var o = (l & ei) !== 0 ? (l & ri) === 0 ? /* @__PURE__ */ Oi(n, !1, !1) : je(n) : null, f = (l & ti) !== 0 ? je(i) : null;
  return {
    v: o,
    i: f,
    e: ie(() => (s(t, o ?? n, f ?? i, a), () => {
      e.delete(r);
    }))
  };
}
function rt(e, t, n) {
  if (e.nodes)
    for (var r = e.nodes.start, i = e.nodes.end, s = t && (t.f & we) === 0 ? (
      /** @type {EffectNodes} */
      t.nodes.start
    ) : n; r !== null; ) {
      var l = (
        /** @type {TemplateNode} */
        /* @__PURE__ */ _t(r)
      );
      if (s.before(r), r === i)
        return;
      r = l;
    }
}
function Ae(e, t, n) {
  t === null ? e.effect.first = n : t.next = n, n === null ? e.effect.last = t : n.prev = t;
}
function Cr(e, t) {
  dr(() => {
    e = A?.parent?.nodes?.start ?? e;
    var n = e.getRootNode(), r = (
      /** @type {ShadowRoot} */
      n.host ? (
        /** @type {ShadowRoot} */
        n
      ) : (
        /** @type {Document} */
        n.head ?? /** @type {Document} */
        n.ownerDocument.head
      )
    );
    if (!r.querySelector("#" + t.hash)) {
      const i = fr("style");
      i.id = t.hash, i.textContent = t.code, r.appendChild(i);
    }
  });
}
const Mn = [...` 	
\r\f \v\uFEFF`];
function os(e, t, n) {
  var r = e == null ? "" : "" + e;
  if (n) {
    for (var i of Object.keys(n))
      if (n[i])
        r = r ? r + " " + i : i;
      else if (r.length)
        for (var s = i.length, l = 0; (l = r.indexOf(i, l)) >= 0; ) {
          var a = l + s;
          (l === 0 || Mn.includes(r[l - 1])) && (a === r.length || Mn.includes(r[a])) ? r = (l === 0 ? "" : r.substring(0, l)) + r.substring(a + 1) : l = a;
        }
  }
  return r === "" ? null : r;
}
function Tn(e, t = !1) {
  var n = t ? " !important;" : ";", r = "";
  for (var i of Object.keys(e)) {
    var s = e[i];
    s != null && s !== "" && (r += " " + i + ": " + s + n);
  }
  return r;
}
function as(e, t) {
  if (t) {
    var n = "", r, i;
    return Array.isArray(t) ? (r = t[0], i = t[1]) : r = t, r && (n += Tn(r)), i && (n += Tn(i, !0)), n = n.trim(), n === "" ? null : n;
  }
  return String(e);
}
function Or(e, t, n, r, i, s) {
  var l = (
    /** @type {any} */
    e[zt]
  );
  if (l !== n || l === void 0) {
    var a = os(n, r, s);
    a == null ? e.removeAttribute("class") : e.className = a, e[zt] = n;
  } else if (s && i !== s)
    for (var o in s) {
      var f = !!s[o];
      (i == null || f !== !!i[o]) && e.classList.toggle(o, f);
    }
  return s;
}
function Ut(e, t = {}, n, r) {
  for (var i in n) {
    var s = n[i];
    t[i] !== s && (n[i] == null ? e.style.removeProperty(i) : e.style.setProperty(i, s, r));
  }
}
function fs(e, t, n, r) {
  var i = (
    /** @type {any} */
    e[Yt]
  );
  if (i !== t) {
    var s = as(t, r);
    s == null ? e.removeAttribute("style") : e.style.cssText = s, e[Yt] = t;
  } else r && (Array.isArray(r) ? (Ut(e, n?.[0], r[0]), Ut(e, n?.[1], r[1], "important")) : Ut(e, n, r));
  return r;
}
const us = Symbol("is custom element"), cs = Symbol("is html");
function De(e, t, n, r) {
  var i = ds(e), s = i[t];
  s !== (i[t] = n) && (t === "loading" && (e[$r] = n), n == null ? e.removeAttribute(t) : typeof n != "string" && hs(e).has(t) ? e[t] = n : e.setAttribute(t, n));
}
function ds(e) {
  return (
    /** @type {Record<string | symbol, unknown>} **/
    /** @type {any} */
    e[zn] ??= {
      [us]: e.nodeName.includes("-"),
      [cs]: e.namespaceURI === li
    }
  );
}
var Cn = /* @__PURE__ */ new Map();
function hs(e) {
  var t = e.getAttribute("is") || e.nodeName, n = Cn.get(t);
  if (n) return n;
  Cn.set(t, n = /* @__PURE__ */ new Set());
  for (var r, i = e, s = Element.prototype; s !== i; ) {
    r = Yr(i);
    for (var l in r)
      r[l].set && // better safe than sorry, we don't want spread attributes to mess with HTML content
      l !== "innerHTML" && l !== "textContent" && l !== "innerText" && n.add(l);
    i = jn(i);
  }
  return n;
}
function Bt(e, t) {
  return e === t || e?.[bt] === t;
}
function On(e = sn(), t, n, r) {
  var i = (
    /** @type {ComponentContext} */
    Y.r
  ), s = (
    /** @type {Effect} */
    A
  );
  return dr(() => {
    var l, a;
    return hr(() => {
      l = a, a = [], Sr(() => {
        Bt(n(...a), e) || (t(e, ...a), l && Bt(n(...l), e) && t(null, ...l));
      });
    }), () => {
      let o = s;
      for (; o !== i && o.parent !== null && o.parent.f & ut; )
        o = o.parent;
      const f = () => {
        a && Bt(n(...a), e) && t(null, ...a);
      }, u = o.teardown;
      o.teardown = () => {
        f(), u?.();
      };
    };
  }), e;
}
function vs(e, t, n, r) {
  var i = (
    /** @type {V} */
    r
  ), s = !0, l = () => (s && (s = !1, i = /** @type {V} */
  r), i), a;
  a = /** @type {V} */
  e[t], a === void 0 && r !== void 0 && (a = l());
  var o;
  return o = () => {
    var f = (
      /** @type {V} */
      e[t]
    );
    return f === void 0 ? l() : (s = !0, f);
  }, o;
}
const ps = "5";
typeof window < "u" && ((window.__svelte ??= {}).v ??= /* @__PURE__ */ new Set()).add(ps);
const Rn = "23456789TJQKA", vn = 1326, Rr = 169, _s = new Uint8Array(vn), gs = new Uint8Array(vn), Nn = new Uint8Array(vn), ws = Array.from({ length: Rr }, () => []);
for (let e = 0, t = 0; e < 52; e++)
  for (let n = 0; n < e; n++, t++) {
    _s[t] = e, gs[t] = n;
    const r = 12 - (e >> 2), i = 12 - (n >> 2), s = (e & 3) === (n & 3) || r === i;
    Nn[t] = s ? 13 * r + i : 13 * i + r, ws[Nn[t]].push(t);
  }
function bs(e) {
  const t = Math.floor(e / 13), n = e % 13, r = Rn[12 - Math.min(t, n)], i = Rn[12 - Math.max(t, n)];
  return r + i + (t === n ? "" : n > t ? "s" : "o");
}
const Ge = Array.from({ length: Rr }, (e, t) => bs(t)), Mt = {
  standard: { fold: "#3f7fbf", passive: "#5cb85c", betLight: "#f4a09a", betDark: "#8f1414", held: "#e8b93c" },
  "colour-blind": {
    fold: "#7b6db0",
    passive: "#d6d6dc",
    betLight: "#fdb863",
    betDark: "#7f3b08",
    held: "#e08214"
  }
}, en = (e) => [1, 3, 5].map((t) => parseInt(e.slice(t, t + 2), 16));
function Nr(e, t, n) {
  const [r, i] = [en(e), en(t)];
  return "#" + r.map(
    (s, l) => Math.round(s + (i[l] - s) * n).toString(16).padStart(2, "0")
  ).join("");
}
function ms(e) {
  const [t, n, r] = en(e);
  return 0.299 * t + 0.587 * n + 0.114 * r > 140 ? "#101318" : "#ffffff";
}
const Ln = (e) => e === "f" || /^fold/i.test(e) ? "fold" : /^(c$|k$|check|call|pass)/i.test(e) ? "passive" : "bet";
function ys(e, t) {
  const n = e.filter((i) => Ln(i) === "bet").length;
  let r = 0;
  return e.map((i) => {
    const s = Ln(i);
    if (s !== "bet") return s === "fold" ? t.fold : t.passive;
    const l = n === 1 ? 0.5 : r / (n - 1);
    return r++, Nr(t.betLight, t.betDark, l);
  });
}
function xs(e, t) {
  const n = t === "colour-blind" ? ["#5e3c99", "#b2abd2", "#f1eef6", "#fdb863", "#e66101"] : ["#b83232", "#dd8452", "#e9d36c", "#8cc46c", "#2f9e58"], r = Math.max(0, Math.min(0.9999, e)) * (n.length - 1), i = Math.floor(r);
  return Nr(n[i], n[i + 1], r - i);
}
function Es(e, t, n, r, i, s) {
  const l = Math.min(3, globalThis.devicePixelRatio || 1), a = Math.round(n * l);
  (e.width !== a || e.height !== a) && (e.width = e.height = a);
  const o = e.getContext("2d", { alpha: !1 });
  o.setTransform(l, 0, 0, l, 0, 0), o.fillStyle = r.gap, o.fillRect(0, 0, n, n);
  const f = Array.from({ length: 14 }, (p, g) => Math.round(n * g / 13)), u = n / 13, c = Math.max(8, Math.min(14, u * 0.33)), v = Math.max(7.5, Math.min(12.5, u * 0.285)), h = ks(o, c, u), _ = u < Lr ? 1.5 : 3, x = `550 ${v}px ui-sans-serif, system-ui, sans-serif`;
  for (let p = 0; p < 169; p++) {
    const g = t[p], y = f[p % 13], E = f[Math.floor(p / 13)], C = f[p % 13 + 1] - y - 1, w = f[Math.floor(p / 13) + 1] - E - 1;
    o.fillStyle = r.cell, o.fillRect(y, E, C, w);
    const b = g.greyed ? w : Math.max(g.height > 0 ? 2 : 0, Math.round(w * Math.min(1, g.height)));
    if (b > 0) {
      o.globalAlpha = g.greyed ? 0.22 : 1;
      let q = y, N = 0;
      for (const Se of g.bars) {
        N += Se.share;
        const G = y + C * Math.min(1, N);
        o.fillStyle = Se.colour, o.fillRect(q, E + w - b, G - q, b), q = G;
      }
      o.globalAlpha = 1;
    }
    const k = g.greyed ? 0 : b / w, D = g.height > 0 && !g.greyed ? r.strong : g.greyed ? r.ink : r.faint;
    if (o.textBaseline = "top", o.textAlign = "left", o.font = h, Fn(
      o,
      Ge[p],
      y + _,
      E + _,
      k > 0.78 ? Dn(g, 0.08, 0.6) : D
    ), g.text && (u >= 30 || g.text.length <= 3)) {
      o.textBaseline = "alphabetic", o.textAlign = "right", o.font = x;
      const q = o.measureText(g.text).width;
      q > C - 4 && (o.font = `550 ${Math.max(7, v * (C - 4) / q)}px ui-sans-serif, system-ui, sans-serif`), Fn(
        o,
        g.text,
        y + C - 2,
        E + w - 4,
        k > 0.25 ? Dn(g, 0.5, 0.95) : D
      );
    }
  }
  for (const [p, g] of [
    [s, 1.5],
    [i, 2.5]
  ]) {
    if (p === null) continue;
    o.strokeStyle = r.ring, o.lineWidth = g;
    const y = f[p % 13], E = f[Math.floor(p / 13)];
    o.strokeRect(
      y + 0.5,
      E + 0.5,
      f[p % 13 + 1] - y - 2,
      f[Math.floor(p / 13) + 1] - E - 2
    );
  }
}
const Lr = 24;
function ks(e, t, n) {
  const r = (s) => `650 ${s}px ui-sans-serif, system-ui, sans-serif`;
  if (n >= Lr) return r(t);
  e.font = r(t);
  const i = e.measureText("AQo").width;
  return r(Math.max(6.5, Math.min(t, t * (n - 3.5) / i)));
}
function Dn(e, t, n) {
  let [r, i] = [0, ""];
  for (const s of e.bars) {
    const l = r;
    if (r += s.share, r <= t || l >= n || s.share < 5e-3) continue;
    const a = ms(s.colour);
    if (i && a !== i) return "";
    i = a;
  }
  return i;
}
function Fn(e, t, n, r, i) {
  i || (e.strokeStyle = "rgb(10 12 16 / 60%)", e.lineWidth = 2, e.lineJoin = "round", e.strokeText(t, n, r)), e.fillStyle = i || "#ffffff", e.fillText(t, n, r);
}
const Ss = "overbet";
function As() {
  const e = {
    theme: "auto",
    palette: "standard",
    unit: "bb",
    guide: !0,
    range: ""
  };
  try {
    return { ...e, ...JSON.parse(localStorage.getItem(Ss) ?? "{}") };
  } catch {
    return e;
  }
}
const In = Fe(As()), Dr = typeof matchMedia > "u" ? null : matchMedia("(prefers-color-scheme: dark)"), Fr = Fe({ dark: Dr?.matches ?? !1 });
Dr?.addEventListener("change", (e) => Fr.dark = e.matches);
const Ms = () => In.theme === "auto" ? Fr.dark : In.theme === "dark";
var Ts = /* @__PURE__ */ Z('<button role="gridcell" class="svelte-14p3uo5"></button>'), Cs = /* @__PURE__ */ Z('<div role="row" tabindex="-1" class="svelte-14p3uo5"></div>'), Os = /* @__PURE__ */ Z('<div class="grid svelte-14p3uo5"><canvas aria-hidden="true" class="svelte-14p3uo5"></canvas> <div role="grid" tabindex="-1"></div></div>');
const Rs = {
  hash: "svelte-14p3uo5",
  code: ".grid.svelte-14p3uo5 {position:relative;width:100%;aspect-ratio:1;}canvas.svelte-14p3uo5 {position:absolute;inset:0;width:100%;height:100%;border-radius:5px;}.overlay.svelte-14p3uo5 {position:absolute;inset:0;display:grid;grid-template-rows:repeat(13, 1fr);touch-action:pan-y;}.painting.svelte-14p3uo5 {touch-action:none;cursor:crosshair;}.overlay.svelte-14p3uo5 > div:where(.svelte-14p3uo5) {display:grid;grid-template-columns:repeat(13, 1fr);}button.svelte-14p3uo5 {all:unset;cursor:inherit;}button.svelte-14p3uo5:focus-visible {outline:2px solid var(--accent-fill);outline-offset:-2px;border-radius:2px;}.overlay.svelte-14p3uo5:not(.painting) button:where(.svelte-14p3uo5) {cursor:pointer;}"
};
function Ns(e, t) {
  nn(t, !0), Cr(e, Rs);
  let n = vs(t, "chosen", 3, null), r, i, s = /* @__PURE__ */ J(0), l = /* @__PURE__ */ J(null), a = /* @__PURE__ */ J(0), o = -1;
  St(() => {
    const w = new ResizeObserver(([b]) => j(s, Math.floor(b.contentRect.width), !0));
    return w.observe(i), () => w.disconnect();
  }), St(() => {
    if (Ms(), !d(s)) return;
    const w = getComputedStyle(r), b = (k) => w.getPropertyValue(k).trim();
    Es(
      r,
      t.cells,
      d(s),
      {
        cell: b("--cell"),
        gap: b("--panel"),
        faint: b("--ink-3"),
        ink: b("--ink-2"),
        strong: b("--ink"),
        ring: b("--ink")
      },
      n(),
      d(l)
    ), t.drawn?.();
  });
  function f(w) {
    const b = i.getBoundingClientRect(), k = Math.floor(13 * (w.clientX - b.left) / b.width), D = Math.floor(13 * (w.clientY - b.top) / b.height);
    return D >= 0 && D < 13 && k >= 0 && k < 13 ? 13 * D + k : -1;
  }
  function u(w) {
    const b = f(w), k = b < 0 ? null : b;
    k !== d(l) && (j(l, k, !0), t.hover?.(k)), o >= 0 && b >= 0 && b !== o && (o = b, t.paint?.(b, !1));
  }
  function c(w) {
    const b = f(w);
    !t.paint || b < 0 || w.button !== 0 || (i.setPointerCapture(w.pointerId), o = b, t.paint(b, !0));
  }
  function v(w) {
    const b = f(w);
    !t.open || b < 0 || (w.preventDefault(), t.open(b));
  }
  function h() {
    j(l, null), t.hover?.(null);
  }
  function _(w) {
    const b = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 13, ArrowUp: -13 }[w.key];
    if (!b) return;
    const k = d(a) + b;
    k < 0 || k > 168 || Math.abs(b) === 1 && Math.floor(k / 13) !== Math.floor(d(a) / 13) || (w.preventDefault(), j(a, k), i.children[Math.floor(k / 13)].children[k % 13].focus());
  }
  function x(w) {
    j(a, w, !0), t.hover?.(w);
  }
  function p(w, b) {
    t.choose?.(b), t.paint && w.detail === 0 && t.paint(b, !0);
  }
  var g = Os(), y = Ve(g);
  On(y, (w) => r = w, () => r);
  var E = ne(y, 2);
  let C;
  ot(E, 20, () => ({ length: 13 }), Sn, (w, b, k) => {
    var D = Cs();
    ot(D, 20, () => ({ length: 13 }), Sn, (q, N, Se) => {
      const G = /* @__PURE__ */ K(() => 13 * k + Se);
      var ve = Ts();
      ae(() => {
        De(ve, "data-hand", Ge[d(G)]), De(ve, "tabindex", d(G) === d(a) ? 0 : -1), De(ve, "aria-selected", d(G) === n()), De(ve, "aria-label", `${Ge[d(G)] ?? ""}: ${t.cells[d(G)].words ?? ""}`);
      }), Me("click", ve, (Rt) => p(Rt, d(G))), qt("focus", ve, () => x(d(G))), V(q, ve);
    }), V(w, D);
  }), On(E, (w) => i = w, () => i), ae(() => {
    C = Or(E, 1, "overlay svelte-14p3uo5", null, C, { painting: !!t.paint }), De(E, "aria-label", t.label);
  }), Me("pointermove", E, u), Me("pointerdown", E, c), qt("pointerleave", E, h), Me("keydown", E, _), Me("contextmenu", E, v), Me("pointerup", E, () => o = -1), qt("pointercancel", E, () => o = -1), V(e, g), rn();
}
Mr([
  "pointermove",
  "pointerdown",
  "keydown",
  "contextmenu",
  "pointerup",
  "click"
]);
function ht(e, t) {
  if (e == null || !Number.isFinite(e)) return "–";
  const n = e.toFixed(t);
  return Number(n) === 0 ? 0 .toFixed(t) : n;
}
const at = (e, t = 1) => e == null || !Number.isFinite(e) ? "–" : `${ht(100 * e, t)}%`, Ls = [
  ["strategy", "Strategy"],
  ["ev", "EV"],
  ["equity", "Equity"],
  ["realisation", "EQR"],
  ["weight", "Weight"]
], Ir = (e, t) => ys(
  e.actions.map((n) => n.token),
  Mt[t] ?? Mt.standard
);
function Ds(e, t, n, r) {
  const i = (Mt[r] ?? Mt.standard).held, s = Ir(e, r), l = Math.max(1e-12, ...t.weight), a = n === "ev" || n === "equity" || n === "realisation" ? t[n] : null, o = a ? a.filter((c, v) => c !== null && t.weight[v] > 0) : [], [f, u] = n === "equity" ? [0, 1] : n === "realisation" ? [0.4, 1.6] : [Math.min(...o), Math.max(...o)];
  return t.weight.map((c, v) => {
    if (!(c > 0)) return { bars: [], height: 0, words: "not in the range" };
    const h = n === "weight" ? c : c / l;
    if (a) {
      const _ = a[v];
      if (_ === null)
        return { bars: [{ colour: i, share: 1 }], height: h, text: "–", words: `${n} unknown` };
      const x = n === "ev" ? ht(_, 2) : ht(100 * _, 0), p = (_ - f) / Math.max(1e-12, u - f);
      return {
        bars: [{ colour: xs(p, r), share: 1 }],
        height: h,
        text: x,
        words: `${n} ${x}`
      };
    }
    if (n === "strategy" && t.mix) {
      const _ = t.mix.map((g) => g[v] ?? 0), x = _.map((g, y) => ({ colour: s[y], share: g })).reverse(), p = _.map((g, y) => `${e.actions[y].label} ${at(g)}`).filter((g, y) => _[y] >= 5e-4).reverse().join(", ");
      return { bars: x, height: h, words: p };
    }
    return {
      bars: [{ colour: i, share: 1 }],
      height: c,
      text: c < 1 ? at(c, 0) : void 0,
      words: `weight ${at(c)}`
    };
  });
}
var Pn = /* @__PURE__ */ Z('<button class="svelte-1y8d2wb"> </button>'), Fs = /* @__PURE__ */ Z('<span class="choice svelte-1y8d2wb" role="group" aria-label="Player"></span>'), Is = /* @__PURE__ */ Z('<span class="choice svelte-1y8d2wb" role="group" aria-label="View"></span>'), Ps = /* @__PURE__ */ Z('<li><i class="svelte-1y8d2wb"></i> </li>'), qs = /* @__PURE__ */ Z('<ul class="actions svelte-1y8d2wb" aria-label="Actions"></ul>'), Hs = /* @__PURE__ */ Z("<span> </span>"), js = /* @__PURE__ */ Z("<b> </b> <span> </span> <!>", 1), Us = /* @__PURE__ */ Z("<span> </span> <span> </span>", 1), Bs = /* @__PURE__ */ Z("<span> </span> <!>", 1), Vs = /* @__PURE__ */ Z('<p class="svelte-1y8d2wb"> </p>'), zs = /* @__PURE__ */ Z('<div><header class="svelte-1y8d2wb"><b> </b> <!> <!></header> <div class="square"><!></div> <!> <footer class="svelte-1y8d2wb"><!></footer> <!></div>');
const Ys = {
  hash: "svelte-1y8d2wb",
  code: `.widget.svelte-1y8d2wb {--cell: #e4e6eb;--panel: #ffffff;--line: #dcdfe5;--ink: #171a21;--ink-2: #4a5160;--ink-3: #666d7b;--accent-fill: #f2b632;--accent-ink: #221800;color:var(--ink);background:var(--panel);border:1px solid var(--line);border-radius:8px;padding:8px;width:min(460px, 100%);min-width:340px;box-sizing:border-box;font:13px/1.45 ui-sans-serif,
      system-ui,
      "Segoe UI",
      Roboto,
      sans-serif;font-variant-numeric:tabular-nums;}.widget.dark.svelte-1y8d2wb {--cell: #262c36;--panel: #181c24;--line: #2a303b;--ink: #e9ecf2;--ink-2: #b3bac7;--ink-3: #8d96a6;}header.svelte-1y8d2wb,
  footer.svelte-1y8d2wb,
  .actions.svelte-1y8d2wb {display:flex;flex-wrap:wrap;align-items:center;gap:4px 12px;}header.svelte-1y8d2wb {margin-bottom:6px;}footer.svelte-1y8d2wb {min-height:1.5em;margin-top:4px;color:var(--ink-2);}.choice.svelte-1y8d2wb {display:inline-flex;border:1px solid var(--line);border-radius:6px;overflow:hidden;}button.svelte-1y8d2wb {all:unset;padding:1px 8px;cursor:pointer;font-size:12px;}button[aria-pressed="true"].svelte-1y8d2wb {background:var(--accent-fill);color:var(--accent-ink);}button.svelte-1y8d2wb:focus-visible {outline:2px solid var(--accent-fill);outline-offset:-2px;}.actions.svelte-1y8d2wb {list-style:none;margin:6px 0 0;padding:0;}.actions.svelte-1y8d2wb i:where(.svelte-1y8d2wb) {display:inline-block;width:10px;height:10px;margin-right:5px;border-radius:2px;}p.svelte-1y8d2wb {margin:4px 0 0;color:var(--ink-3);}`
};
function Gs(e, t) {
  nn(t, !0), Cr(e, Ys);
  const n = ["data", "player", "view", "palette", "chosen"], r = () => ({
    data: t.model.get("data"),
    player: t.model.get("player"),
    view: t.model.get("view"),
    palette: t.model.get("palette"),
    chosen: t.model.get("chosen")
  });
  let i = /* @__PURE__ */ J(r()), s = /* @__PURE__ */ J(null), l = /* @__PURE__ */ J(!1);
  St(() => {
    const m = () => j(i, r());
    for (const M of n) t.model.on(`change:${M}`, m);
    return () => {
      for (const M of n) t.model.off(`change:${M}`, m);
    };
  }), St(() => {
    const m = () => {
      const O = document.body, H = O.dataset.jpThemeLight;
      j(
        l,
        H !== void 0 ? H === "false" : O.classList.contains("dark") || document.documentElement.classList.contains("dark"),
        !0
      );
    };
    m();
    const M = new MutationObserver(m);
    for (const O of [document.body, document.documentElement]) M.observe(O, { attributes: !0 });
    return () => M.disconnect();
  });
  const a = /* @__PURE__ */ K(() => Object.keys(d(i).data.seats)), o = /* @__PURE__ */ K(() => d(a).includes(d(i).player) ? d(i).player : d(a)[0]), f = /* @__PURE__ */ K(() => d(i).data.seats[d(o)]), u = /* @__PURE__ */ K(() => Ls.filter(([m]) => m === "strategy" ? d(f).mix !== null : p(m))), c = /* @__PURE__ */ K(() => d(u).some(([m]) => m === d(i).view) ? d(i).view : d(u)[0][0]), v = /* @__PURE__ */ K(() => Ds(d(i).data, d(f), d(c), d(i).palette)), h = /* @__PURE__ */ K(() => Ir(d(i).data, d(i).palette)), _ = /* @__PURE__ */ K(() => Ge.indexOf(d(i).chosen)), x = /* @__PURE__ */ K(() => d(s) ?? (d(_) < 0 ? null : d(_)));
  function p(m) {
    return m === "weight" ? !0 : (m === "ev" || m === "equity" || m === "realisation") && d(f)[m].some((M) => M !== null);
  }
  function g(m, M) {
    t.model.set(m, M), t.model.save_changes(), j(i, r());
  }
  const y = (m, M) => m === null ? "–" : ht(m, M), E = (m) => m === null ? "–" : at(m);
  var C = zs();
  let w;
  var b = Ve(C), k = Ve(b), D = _e(k, !0), q = ne(k, 2);
  {
    var N = (m) => {
      var M = Fs();
      ot(M, 20, () => d(a), (O) => O, (O, H) => {
        var F = Pn(), le = _e(F, !0);
        ae(
          (W) => {
            De(F, "aria-pressed", H === d(o)), oe(le, W);
          },
          [() => H.toUpperCase()]
        ), Me("click", F, () => g("player", H)), V(O, F);
      }), V(m, M);
    };
    Ne(q, (m) => {
      d(a).length > 1 && m(N);
    });
  }
  var Se = ne(q, 2);
  {
    var G = (m) => {
      var M = Is();
      ot(M, 21, () => d(u), ([O, H]) => O, (O, H) => {
        var F = /* @__PURE__ */ K(() => Qr(d(H), 2));
        let le = () => d(F)[0], W = () => d(F)[1];
        var te = Pn(), pe = _e(te, !0);
        ae(() => {
          De(te, "aria-pressed", le() === d(c)), oe(pe, W());
        }), Me("click", te, () => g("view", le())), V(O, te);
      }), V(m, M);
    };
    Ne(Se, (m) => {
      d(u).length > 1 && m(G);
    });
  }
  var ve = ne(b, 2), Rt = Ve(ve);
  rs(Rt, () => d(l), (m) => {
    {
      let M = /* @__PURE__ */ K(() => d(o).toUpperCase()), O = /* @__PURE__ */ K(() => d(c)), H = /* @__PURE__ */ K(() => d(_) < 0 ? null : d(_));
      Ns(m, {
        get cells() {
          return d(v);
        },
        get label() {
          return `${d(M) ?? ""}, ${d(O) ?? ""}`;
        },
        get chosen() {
          return d(H);
        },
        hover: (F) => j(s, F, !0),
        choose: (F) => g("chosen", F === d(_) ? "" : Ge[F])
      });
    }
  });
  var pn = ne(ve, 2);
  {
    var Pr = (m) => {
      var M = qs();
      ot(M, 23, () => d(i).data.actions, (O) => O.token, (O, H, F) => {
        var le = Ps(), W = Ve(le);
        let te;
        var pe = ne(W);
        ae(
          (Ue) => {
            te = fs(W, "", te, { background: d(h)[d(F)] }), oe(pe, `${d(H).label ?? ""} ${Ue ?? ""}`);
          },
          [() => at(d(H).frequency)]
        ), V(O, le);
      }), V(m, M);
    };
    Ne(pn, (m) => {
      d(f).mix && m(Pr);
    });
  }
  var _n = ne(pn, 2), qr = Ve(_n);
  {
    var Hr = (m) => {
      var M = js(), O = Pt(M), H = _e(O, !0), F = ne(O, 2), le = _e(F, !0), W = ne(F, 2);
      {
        var te = (pe) => {
          var Ue = Hs(), Nt = _e(Ue);
          ae((Lt, Dt) => oe(Nt, `EV ${Lt ?? ""} ${d(i).data.unit ?? ""}, equity ${Dt ?? ""}`), [
            () => y(d(f).ev[d(x)], 2),
            () => E(d(f).equity[d(x)])
          ]), V(pe, Ue);
        };
        Ne(W, (pe) => {
          d(f).weight[d(x)] > 0 && d(f).ev[d(x)] !== null && pe(te);
        });
      }
      ae(() => {
        oe(H, Ge[d(x)]), oe(le, d(v)[d(x)].words);
      }), V(m, M);
    }, jr = (m) => {
      var M = Bs(), O = Pt(M), H = _e(O), F = ne(O, 2);
      {
        var le = (W) => {
          var te = Us(), pe = Pt(te), Ue = _e(pe), Nt = ne(pe, 2), Lt = _e(Nt);
          ae(
            (Dt, Vr) => {
              oe(Ue, `EV ${Dt ?? ""} ${d(i).data.unit ?? ""}`), oe(Lt, `equity ${Vr ?? ""}`);
            },
            [
              () => y(d(f).mean_ev, 2),
              () => E(d(f).mean_equity)
            ]
          ), V(W, te);
        };
        Ne(F, (W) => {
          d(f).mean_ev !== null && W(le);
        });
      }
      ae((W) => oe(H, `${W ?? ""} combos`), [() => ht(d(f).combos, 1)]), V(m, M);
    };
    Ne(qr, (m) => {
      d(x) !== null ? m(Hr) : m(jr, -1);
    });
  }
  var Ur = ne(_n, 2);
  {
    var Br = (m) => {
      var M = Vs(), O = _e(M, !0);
      ae(() => oe(O, d(i).data.note)), V(m, M);
    };
    Ne(Ur, (m) => {
      d(i).data.note && m(Br);
    });
  }
  ae(() => {
    w = Or(C, 1, "widget svelte-1y8d2wb", null, w, { dark: d(l) }), oe(D, d(i).data.title);
  }), V(e, C), rn();
}
Mr(["click"]);
function Ws({ model: e, el: t }) {
  const n = $i(Gs, { target: t, props: { model: e } });
  return () => void ts(n);
}
const Js = { render: Ws };
export {
  Js as default
};
