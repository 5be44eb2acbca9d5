import { tables } from '../../messages/en/tables.ts';
import { translator } from '../../messages/translate.ts';
import { FilterSelect, FilterText } from '../../parts/Fields.tsx';
import { type Condition, columnsOf, operatorLabel, operatorsFor, type Table } from './cellValues.ts';

const t = translator('tables', tables);

interface FilterFieldsProps {
  table: Table;
  condition: Condition;
  fault: string | undefined;
  onChange: (changes: Record<string, string>) => void;
  onText: (text: string) => void;
}

export function FilterFields({ table, condition, fault, onChange, onText }: FilterFieldsProps) {
  const { name, operator, text } = condition;
  const operators = operatorsFor(table.schema.properties[name]);
  return (
    <>
      <FilterSelect
        label={t('filterColumn')}
        value={name}
        onChange={value => onChange({ column: value, condition: '', value: '' })}
        options={[
          { value: '', label: t('noFilter') },
          ...columnsOf(table).map(each => ({ value: each.name, label: each.name })),
        ]}
      />
      {name && (
        <FilterSelect
          label={t('condition')}
          value={operator}
          onChange={value => onChange({ condition: value })}
          options={operators.map(value => ({ value, label: operatorLabel(value) }))}
        />
      )}
      {name && operator !== '$exists' && (
        <FilterText label={t('value')} value={text} error={fault} onChange={onText} width={160} />
      )}
    </>
  );
}
