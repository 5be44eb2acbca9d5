/** Stands in for a SHA-256 in JavaScript, which the SDK has for platforms without Node's: 4 KB of every bundle. */
export class Sha256Js {
  constructor() {
    throw new Error("Node's own SHA-256 is the only one of this bundle: see infra/bundle.ts.");
  }
}
