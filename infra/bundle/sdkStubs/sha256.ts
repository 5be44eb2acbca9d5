/** Replaces a SHA-256 in JavaScript, which the SDK carries for platforms without Node's: 4 KB of every bundle. */
export class Sha256Js {
  constructor() {
    throw new Error("This bundle has Node's SHA-256 only: see infra/bundle/lambdaPlugin.ts.");
  }
}
