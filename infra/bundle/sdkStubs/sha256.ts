/** Replaces the SDK's SHA-256 implementation, because Node has one. Saves 4 KB per bundle. */
export class Sha256Js {
  constructor() {
    throw new Error("This bundle contains only Node's SHA-256: see infra/bundle/lambdaPlugin.ts.");
  }
}
