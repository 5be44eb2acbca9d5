/**
 * The reference of an operation: the documentation that its declaration does not imply. A file
 * `<operation>.reference.ts` beside each operation exports one. Functions do not load them.
 */
import type * as z from 'zod/mini';
import type { ObjectSchema, PathParameters } from '#shared/api/operation.ts';
import type { DocumentedError } from './errors.ts';

/** A call that succeeds, given the records of `EXAMPLE`. */
interface Example {
  path?: Record<string, string>;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: unknown;
}

/** The maximum cost of a warm call: one transaction if it writes, plus its reads. Raise it only with a reason. */
interface Budget {
  /** DynamoDB calls. */
  calls: number;
  readUnits?: number;
  writeUnits?: number;
  /** The minimum number of calls that run concurrently. */
  parallel?: number;
}

export interface OperationReference {
  errors?: readonly DocumentedError[];
  parameters?: Readonly<Record<string, string>>;
  fields?: Readonly<Record<string, string>>;
  example?: Example;
  budget: Budget;
}

type SchemaIn<Operation, Place extends string> = Operation extends { readonly [Key in Place]?: infer Schema }
  ? Extract<Schema, ObjectSchema>
  : never;

/** Declared names only, without the index signature of an undeclared schema. */
type TextsOf<Input> = { [Name in keyof Input as string extends Name ? never : Name]: string };

type TextsIn<Operation, Place extends string> =
  SchemaIn<Operation, Place> extends never ? object : TextsOf<z.input<SchemaIn<Operation, Place>>>;

type VariablesOf<Operation> = Operation extends { path: infer Path extends string } ? PathParameters<Path> : never;

type ParametersOf<Operation> = TextsOf<VariablesOf<Operation>> &
  TextsIn<Operation, 'query'> &
  TextsIn<Operation, 'headers'>;

/** Derived from the declaration, so that a missing path variable or an invalid body does not compile. */
type ExampleOf<Operation> = (unknown extends VariablesOf<Operation>
  ? { path?: never }
  : { path: VariablesOf<Operation> }) & {
  query?: keyof TextsIn<Operation, 'query'> extends never ? never : TextsIn<Operation, 'query'>;
  headers?: Record<string, string>;
  body?: SchemaIn<Operation, 'body'> extends never ? never : z.input<SchemaIn<Operation, 'body'>>;
};

interface ReferenceOf<Operation> {
  /** Errors that do not follow from the declaration. */
  errors?: readonly DocumentedError[];
  /** Meanings of parameters in the path, the query and the headers that no general text describes. */
  parameters?: keyof ParametersOf<Operation> extends never ? never : Readonly<Partial<ParametersOf<Operation>>>;
  /** Meanings of fields that `./fields` does not describe for several operations, by path: `body.payload.text`. */
  fields?: Readonly<Record<string, string>>;
  example: ExampleOf<Operation>;
  budget: Budget;
}

/** No document describes webhook operations. */
type Undocumented = Pick<OperationReference, 'budget'>;

export const reference = <Operation extends { api: string }>(
  given: Operation['api'] extends 'webhook' ? Undocumented : ReferenceOf<Operation>,
) => given;
