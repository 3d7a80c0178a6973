import { NativeSelect, type NativeSelectProps } from '@mantine/core';
import { setLanguage } from '../language/choose-language.ts';
import { languages } from '../language/languages.ts';
import { language, t } from '../language/texts.ts';

const choices = Object.entries(languages).map(([value, { name }]) => ({ value, label: name }));

/** Selects the language of the dashboard in this browser. Each language is listed by its own name. */
export function LanguageSelect(props: NativeSelectProps) {
  if (choices.length === 1) return null;
  return (
    <NativeSelect
      aria-label={t.shell.language}
      size="xs"
      data={choices}
      value={language}
      onChange={(event) => setLanguage(event.currentTarget.value)}
      {...props}
    />
  );
}
