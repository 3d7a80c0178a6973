import { Button, Group, Select, type SelectProps, TextInput, type TextInputProps } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './filter-bar.module.css';
import { getText, handleSubmit } from './form.tsx';
import { useFilter } from './use-filter.ts';

/** What narrows the list below it. */
export function FilterBar({ children }: { children: ReactNode }) {
  return <search className={classes.bar}>{children}</search>;
}

/** One of some values of the filter `name`, or any. */
export function FilterSelect(
  props: {
    name: string;
    label: string;
    choices: readonly { value: string; label: string }[];
  } & Pick<SelectProps, 'searchable' | 'limit' | 'nothingFoundMessage' | 'placeholder' | 'comboboxProps'>,
) {
  const { name, label, choices, placeholder = 'Any', ...rest } = props;
  const { getFilter, setFilters } = useFilter();
  return (
    <Select
      label={label}
      placeholder={placeholder}
      clearable
      data={choices}
      value={getFilter(name)}
      onChange={(value) => setFilters({ [name]: value })}
      className={classes.choice}
      {...rest}
    />
  );
}

type FilterField = { name: string; label: string; width?: string } & Pick<
  TextInputProps,
  'type' | 'inputMode' | 'placeholder' | 'maxLength'
>;

/** A customer, of whom only the whole address is known by its index. */
export const emailFilterField: FilterField = {
  name: 'email',
  label: 'Email',
  type: 'search',
  inputMode: 'email',
  placeholder: 'Full email address',
};

/** What is written down and then looked for, a field a filter. */
export function FilterSearchForm({ fields }: { fields: readonly FilterField[] }) {
  const { getFilter, setFilters } = useFilter();
  const submit = handleSubmit((form) =>
    setFilters(Object.fromEntries(fields.map(({ name }) => [name, getText(form, name)]))),
  );
  // What the address says now is what the fields begin with.
  const key = fields.map(({ name }) => getFilter(name)).join(' ');
  return (
    <form onSubmit={submit} key={key} className={fields.length < 3 ? classes.text : classes.texts}>
      <Group gap="xs" align="flex-end">
        {fields.map(({ name, width = '11rem', ...field }) => (
          <TextInput
            key={name}
            name={name}
            defaultValue={getFilter(name) ?? ''}
            flex={`1 1 ${width}`}
            {...field}
          />
        ))}
        <Button type="submit" variant="default">
          Search
        </Button>
      </Group>
    </form>
  );
}
