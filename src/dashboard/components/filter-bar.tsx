import { Button, Group, Select, type SelectProps, TextInput, type TextInputProps } from '@mantine/core';
import { Children, type ReactNode, useEffect, useId, useRef, useState } from 'react';
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
    /** Filters that are removed together with this one. */
    dependentFilters?: readonly string[];
  } & Pick<SelectProps, 'searchable' | 'limit' | 'nothingFoundMessage' | 'placeholder' | 'comboboxProps'>,
) {
  const { name, label, choices, dependentFilters = [], placeholder = t.common.any, ...rest } = props;
  const { getFilter, setFilters } = useFilter();
  return (
    <Select
      label={label}
      placeholder={placeholder}
      clearable
      data={choices}
      value={getFilter(name)}
      onChange={(value) =>
        setFilters(
          Object.fromEntries([name, ...(value === null ? dependentFilters : [])].map((key) => [key, value])),
        )
      }
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
  return (
    <form onSubmit={submit} className={fields.length < 3 ? classes.text : classes.texts}>
      <Group gap="xs" align="flex-end">
        {fields.map((field) => (
          <FilterInput key={field.name} field={field} value={getFilter(field.name) ?? ''} />
        ))}
        <Button type="submit" variant="default">
          {action}
        </Button>
      </Group>
    </form>
  );
}

/** Shows the filter of the URL until the user changes the text, and again when the filter changes. */
function FilterInput({ field, value }: { field: FilterField; value: string }) {
  const { width = '11rem', ...inputProps } = field;
  const ref = useRef<HTMLInputElement>(null);
  // A new key would remount the input, which then would lose the focus after each search.
  useEffect(() => {
    if (ref.current) ref.current.value = value;
  }, [value]);
  return <TextInput ref={ref} defaultValue={value} flex={`1 1 ${width}`} {...inputProps} />;
}
