/**
 * Chooses `accountConcurrency`, the concurrent executions of which the stack reserves shares. Reservations reduce what
 * other functions can use. The value therefore stays as deployed, and the first deployment into an account with other
 * functions requires the operator's decision.
 */
import type { AccountConcurrency } from './accountConcurrency.ts';
import type { DeployedStack } from './deployedStack.ts';

export class DecisionRequired extends Error {
  override readonly name = 'DecisionRequired';
}

export interface Situation {
  account: AccountConcurrency;
  deployed: DeployedStack | undefined;
  /** Sum of the reservations for a share, with the settings of this deployment. */
  reservedOf(share: number): number;
  /** Name of a function of another stack, if there is one. */
  findOther(): Promise<string | undefined>;
}

export interface Share {
  share: number;
  note: string;
}

/** Lambda rejects a reservation that leaves fewer executions unreserved. */
const MIN_UNRESERVED = 100;

const shown = (value: number) => value.toLocaleString('en');

/** @throws DecisionRequired before the first deployment into an account with other functions */
export async function chooseShare({ account, deployed, reservedOf, findOther }: Situation): Promise<Share> {
  const available = account.unreserved + (deployed?.reserved ?? 0);
  const describe = (share: number, why: string): Share => ({
    share,
    note: `Concurrency: ${shown(reservedOf(share))} of the account's ${shown(account.limit)} executions are reserved for this stack (accountConcurrency=${share}): ${why}.`,
  });
  const fits = (share: number) => reservedOf(share) === 0 || available - reservedOf(share) >= MIN_UNRESERVED;

  const kept = deployed?.shared;
  if (kept !== undefined && !fits(kept)) return describe(available, `${shown(kept)} are no longer available`);
  const hasSameLimit = deployed?.accountLimit === undefined || deployed.accountLimit === account.limit;
  if (kept !== undefined && hasSameLimit) return describe(kept, 'as deployed');

  const added = reservedOf(available) - (deployed?.reserved ?? 0);
  if (added <= 0) return describe(available, 'what other functions have not reserved');
  const other = await findOther();
  if (other === undefined) return describe(available, 'what other functions have not reserved');
  if (kept !== undefined) {
    const { note, share } = describe(kept, `as deployed, although the account's limit is now ${shown(account.limit)}`);
    return { share, note: `${note} Use more: npm run deploy -- -c accountConcurrency=${available}.` };
  }
  // Stacks of earlier versions have their reservations already.
  if (deployed && deployed.reserved > 0) return describe(available, 'as deployed');
  throw new DecisionRequired(
    `The account has other functions in this region, such as ${other}. This stack would reserve ${shown(added)} of the ${shown(available)} executions that they can use now.\n` +
      `Share them:       npm run deploy -- -c accountConcurrency=${available}\n` +
      'Reserve nothing:  npm run deploy -- -c accountConcurrency=0\n' +
      'Later deployments keep the number (docs/operations/overload.md#reservations).',
  );
}
