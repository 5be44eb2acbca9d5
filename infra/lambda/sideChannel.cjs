/**
 * In the place of `side-channel`, by which `qs` remembers things about objects: it carries 25 KB for runtimes without a
 * WeakMap, and a Lambda has one. CommonJS, because `qs` calls what it requires.
 */
module.exports = function getSideChannel() {
  const known = new WeakMap();
  return {
    get: key => known.get(key),
    set: (key, value) => void known.set(key, value),
    has: key => known.has(key),
    delete: key => known.delete(key),
    assert: key => {
      if (!known.has(key)) throw new TypeError('Side channel does not contain the key');
    },
  };
};
