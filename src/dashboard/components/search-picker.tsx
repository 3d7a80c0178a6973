import { Combobox, TextInput, useCombobox } from '@mantine/core';
import { type KeyboardEvent, type ReactNode, useEffect, useState } from 'react';
import { t } from '../language/texts.ts';

type SearchPickerProps<Item extends { id: string }> = {
  /** The form field that receives the ID. */
  name: string;
  label: string;
  placeholder: string;
  listLabel: string;
  /** Returns the items that match the text; `items` is null before the first result. */
  useItems: (text: string) => { items: readonly Item[] | null; isCurrent: boolean };
  /** Shown while the field is empty. */
  suggestions?: readonly Item[] | undefined;
  isOffered: (item: Item) => boolean;
  formatItem: (item: Item) => string;
  renderItem: (item: Item) => ReactNode;
  emptyText: string;
  isFocused?: boolean | undefined;
  /** The object that is chosen until the user types. */
  initialItem?: Item | undefined;
  /** Called with each chosen item, and with null when the user types. */
  onChange?: ((item: Item | null) => void) | undefined;
};

/** The user finds an object by typing. The form field `name` receives its ID. */
export function SearchPicker<Item extends { id: string }>(props: SearchPickerProps<Item>) {
  const { name, label, listLabel, placeholder, suggestions = [], isFocused = false } = props;
  const [text, setText] = useState(() => (props.initialItem ? props.formatItem(props.initialItem) : ''));
  const [item, setItem] = useState<Item | null>(props.initialItem ?? null);
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });
  const { items, isCurrent } = props.useItems(item ? '' : text);
  const found = text.trim() === '' ? suggestions : (items ?? []);
  const options = found.filter(props.isOffered);
  const { selectFirstOption } = combobox;
  const firstFoundId = text.trim() === '' ? undefined : options[0]?.id;
  // Enter chooses the first object that was found.
  useEffect(() => {
    if (firstFoundId !== undefined) selectFirstOption();
  }, [firstFoundId, selectFirstOption]);
  // If the user presses Enter before the search ends, its first result is chosen.
  const [isChoosingFirst, setIsChoosingFirst] = useState(false);
  const change = (newItem: Item | null) => {
    setItem(newItem);
    props.onChange?.(newItem);
  };
  const choose = (id: string) => {
    const chosen = options.find((option) => option.id === id);
    if (!chosen) return;
    change(chosen);
    setText(props.formatItem(chosen));
    combobox.closeDropdown();
  };
  useEffect(() => {
    if (!isChoosingFirst || !isCurrent || items === null) return;
    setIsChoosingFirst(false);
    if (firstFoundId !== undefined) choose(firstFoundId);
  });
  const handleKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing || item !== null || text.trim() === '') return;
    if (isCurrent && combobox.dropdownOpened && options.length > 0) return;
    event.preventDefault();
    combobox.openDropdown();
    setIsChoosingFirst(true);
  };
  return (
    <>
      <input type="hidden" name={name} value={item?.id ?? ''} />
      <Combobox store={combobox} onOptionSubmit={choose} withinPortal shadow="md">
        <Combobox.Target>
          <TextInput
            label={label}
            value={text}
            placeholder={placeholder}
            autoComplete="off"
            spellCheck={false}
            maxLength={200}
            onChange={(event) => {
              setText(event.currentTarget.value);
              change(null);
              setIsChoosingFirst(false);
              combobox.openDropdown();
            }}
            onKeyDown={handleKey}
            // Typing replaces a chosen object.
            onFocus={(event) => item !== null && event.currentTarget.select()}
            onClick={() => combobox.openDropdown()}
            onBlur={() => {
              setIsChoosingFirst(false);
              combobox.closeDropdown();
            }}
            {...(isFocused && { 'data-autofocus': true })}
          />
        </Combobox.Target>
        <Combobox.Dropdown hidden={item !== null || (text.trim() === '' && options.length === 0)}>
          <Combobox.Options mah={260} style={{ overflowY: 'auto' }} aria-label={listLabel}>
            {options.map((option) => (
              <Combobox.Option value={option.id} key={option.id}>
                {props.renderItem(option)}
              </Combobox.Option>
            ))}
            {options.length === 0 && (
              <Combobox.Empty>{isCurrent ? props.emptyText : t.components.searching}</Combobox.Empty>
            )}
          </Combobox.Options>
        </Combobox.Dropdown>
      </Combobox>
    </>
  );
}
