/** Replaces the formats of ECDSA signatures of `jws`, because user keys are signed with HS256. Saves 2 KB. */
const refuse = () => {
  throw new Error('This bundle contains no ECDSA signatures: see infra/bundle/lambdaPlugin.ts.');
};

export const derToJose = refuse;
export const joseToDer = refuse;
