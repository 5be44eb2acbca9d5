import { useMemo, useState } from 'react';
import { forms } from '../../messages/en/forms.ts';
import { translator } from '../../messages/translate.ts';
import { type Field, fieldsOf, idOf } from './formFields.ts';
import { type Entries, type Entry, entriesOf, entryIn, type Faults, readEntries } from './formValues.ts';
import { type ServerFaults, serverFaultsOf } from './serverFaults.ts';

const t = translator('forms', forms);

interface Options {
  schema: unknown;
  value: Record<string, unknown>;
  /** False for a new value, which starts with the defaults. */
  isStored: boolean;
  /** Path of the value in the API's issues. */
  prefix: string;
}

export interface SchemaFormState {
  fields: readonly Field[];
  isStored: boolean;
  /** True while a value differs from the initial one. */
  isChanged: boolean;
  entryOf(field: Field): Entry;
  errorOf(field: Field): string | undefined;
  /** Number of values that the form or the API rejected. */
  rejections: number;
  /** Faults reported by the API that match no field. */
  otherFaults: readonly string[];
  set(field: Field, entry: Entry): void;
  /** Returns the value, or undefined after marking the faulty fields. */
  read(): Record<string, unknown> | undefined;
  /** Returns true if the error is shown in the form. */
  show(error: unknown): boolean;
}

/** Keeps its state while mounted. Give the component another key for another schema or value. */
export function useSchemaForm({ schema, value, isStored, prefix }: Options): SchemaFormState {
  const fields = useMemo(() => fieldsOf(schema), [schema]);
  const [initial] = useState<Entries>(() => entriesOf(fields, value, { isStored }));
  const [entries, setEntries] = useState(initial);
  const [faults, setFaults] = useState<Faults>({});
  const [server, setServer] = useState<ServerFaults>();
  const [rejections, setRejections] = useState(0);

  const set = (field: Field, entry: Entry) => {
    const id = idOf(field);
    const without = <Value>({ [id]: _, ...others }: Readonly<Record<string, Value>>) => others;
    setEntries({ ...entries, [id]: entry });
    setFaults(without(faults));
    if (server) setServer({ byField: without(server.byField), others: [] });
  };
  const read = () => {
    const { value: wanted, faults: found } = readEntries(fields, entries, value, { isStored });
    setFaults(found);
    setServer(undefined);
    if (Object.keys(found).length === 0) return wanted;
    setRejections(rejections + 1);
    return undefined;
  };
  const show = (error: unknown) => {
    const found = serverFaultsOf(error, fields, prefix);
    setServer(found);
    setRejections(rejections + 1);
    return found !== undefined;
  };
  const errorOf = (field: Field) => {
    const id = idOf(field);
    return faults[id] ? t(faults[id]) : server?.byField[id];
  };
  return {
    fields,
    isStored,
    isChanged: entries !== initial && JSON.stringify(entries) !== JSON.stringify(initial),
    entryOf: field => entryIn(entries, field),
    errorOf,
    rejections,
    otherFaults: server?.others ?? [],
    set,
    read,
    show,
  };
}
