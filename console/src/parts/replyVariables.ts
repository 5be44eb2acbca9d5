/** Variables of saved replies, which the console fills when a reply is inserted. */

export const VARIABLES = ['user.name', 'user.firstName', 'agent.name', 'agent.firstName', 'bot.name'] as const;
export type Variable = (typeof VARIABLES)[number];
/** A variable without a value stays in the text. */
export type VariableValues = Partial<Record<Variable, string | undefined>>;

const VARIABLE = /\{\{\s*([a-zA-Z.]+)\s*\}\}/g;

export const spelled = (variable: Variable): string => `{{${variable}}}`;

const isVariable = (name: string): name is Variable => (VARIABLES as readonly string[]).includes(name);

interface Names {
  user: string | undefined;
  agent: string | undefined;
  bot: string | undefined;
}

export const valuesOf = ({ user, agent, bot }: Names): VariableValues => ({
  'user.name': user,
  'user.firstName': firstName(user),
  'agent.name': agent,
  'agent.firstName': firstName(agent),
  'bot.name': bot,
});

/** The first word, which is the given name in most names, or the whole one. */
const firstName = (name: string | undefined): string | undefined => name?.trim().split(/\s+/)[0] || undefined;

/** Replaces the variables that have a value. Values are not searched for variables. */
export const filled = (text: string, values: VariableValues): string =>
  text.replace(VARIABLE, (found, name: string) => (isVariable(name) ? (values[name] ?? found) : found));

export interface Place {
  variable: Variable;
  start: number;
  end: number;
}

/** Returns the variables that a text contains, in order. */
export const variablesIn = (text: string): Place[] =>
  [...text.matchAll(VARIABLE)].flatMap(({ 0: found, 1: name = '', index }) =>
    isVariable(name) ? { variable: name, start: index, end: index + found.length } : [],
  );
