import { Button, Group, Select, type SelectProps, TextInput, type TextInputProps } from '@mantine/core';
import { Children, type ReactNode, useId, useState } from 'react';
import { useSearchParams } from 'wouter';
import { formatCount } from '../format/count.ts';
import { t } from '../language/texts.ts';
import classes from './filter-bar.module.css';
import { getText, handleSubmit } from './form.tsx';
import { useFilter } from './use-filter.ts';

/** The query parameters of lists that do not filter. */
const otherParams = new Set(['after', 'before', 'order']);

/** The filters of a list. On a phone, a button with the number of set filters opens them, if there are several. */
export function FilterBar({ children }: { children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  const [params] = useSearchParams();
  const id = useId();
  const count = [...params].filter(([name, value]) => value !== '' && !otherParams.has(name)).length;
  if (Children.count(children) < 2) return <search className={classes.bar}>{children}</search>;
  return (
    <search className={classes.bar}>
      <Button
        variant="default"
        className={classes.toggle}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        {count === 0 ? t.components.filters : `${t.components.filters} (${formatCount(count)})`}
      </Button>
      <div id={id} className={classes.fields} data-closed={!isOpen || undefined}>
        {children}
      </div>
    </search>
  );
}

/** Sets the width of a picker, or of the button that removes its filter. */
export function FilterPicker({ children }: { children: ReactNode }) {
  return <div className={classes.picker}>{children}</div>;
}

/** A filter without a selected value matches any value. */
export function FilterSelect(
  props: {
    name: string;
    label: string;
    choices: readonly { value: string; label: string }[];
  } & Pick<SelectProps, 'searchable' | 'limit' | 'nothingFoundMessage' | 'placeholder' | 'comboboxProps'>,
) {
  const { name, label, choices, placeholder = t.common.any, ...rest } = props;
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
  'type' | 'inputMode' | 'placeholder' | 'maxLength' | 'pattern'
>;

/** The filters of all fields are applied together on submit. */
export function FilterSearchForm({
  fields,
  action = t.common.search,
  otherFilters,
}: {
  fields: readonly FilterField[];
  action?: string;
  /** Filters that are set together with a text. */
  otherFilters?: Record<string, string>;
}) {
  const { getFilter, setFilters } = useFilter();
  const submit = handleSubmit((form) => {
    const texts = Object.fromEntries(fields.map(({ name }) => [name, getText(form, name)]));
    const hasText = Object.values(texts).some((text) => text !== '');
    setFilters({ ...texts, ...(hasText && otherFilters) });
  });
  // Remounts the form when the URL changes, because the fields are uncontrolled.
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
          {action}
        </Button>
      </Group>
    </form>
  );
}
