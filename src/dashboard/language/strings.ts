import type { en } from './strings/en.ts';

/** The forms of a text with a count in the plural categories of the language. */
export type Plural = { readonly [Category in Exclude<Intl.LDMLPluralRule, 'other'>]?: string } & {
  readonly other: string;
};

type Translated<T> = {
  readonly [Key in keyof T]: T[Key] extends string
    ? string
    : T[Key] extends { one: string; other: string }
      ? Plural
      : Translated<T[Key]>;
};

/** All texts of the dashboard in one language. The type ensures that no language lacks one. */
export type DashboardTexts = Translated<typeof en>;
