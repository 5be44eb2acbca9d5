/** Declarations of bots, integrations, interfaces and plugins. Unknown fields are stored as well. */
interface Declaration {
  [field: string]: unknown;
  title?: string | undefined;
  description?: string | undefined;
}

type JsonSchema = Record<string, unknown>;
type Attributes = Record<string, string | null>;

export type TagDeclarations = Record<string, Declaration>;

export interface EntityDeclaration extends Declaration {
  schema: JsonSchema;
}

export interface StateDeclaration<Owner extends string> {
  [field: string]: unknown;
  type: Owner;
  schema: JsonSchema;
  expiry?: number | undefined;
}

export interface EventDeclaration extends Declaration {
  schema: JsonSchema;
  attributes?: Attributes | undefined;
}

export interface ActionDeclaration extends Declaration {
  billable?: boolean | undefined;
  cacheable?: boolean | undefined;
  input: { [field: string]: unknown; schema: JsonSchema };
  output: { [field: string]: unknown; schema: JsonSchema };
  attributes?: Attributes | undefined;
}

export type MessageDeclarations = Record<string, { [field: string]: unknown; schema: JsonSchema }>;
