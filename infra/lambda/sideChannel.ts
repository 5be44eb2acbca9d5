/**
 * In the place of `side-channel`, by which `qs` remembers things about objects: it carries 25 KB for runtimes without a
 * WeakMap, and a Lambda has one.
 */
export default function getSideChannel() {
  const known = new WeakMap<object, unknown>();
  return {
    get: (key: object) => known.get(key),
    set: (key: object, value: unknown) => void known.set(key, value),
    has: (key: object) => known.has(key),
    delete: (key: object) => known.delete(key),
    assert: (key: object) => {
      if (!known.has(key)) throw new TypeError('Side channel does not contain the key');
    },
  };
}
