import { Textarea, TextInput } from '@mantine/core';
import type { AccountForm } from './receiving-accounts-query.ts';

type Member = AccountForm['members'][number];

/** What a scheme needs, one field a member, with what is wrong beside it. */
export function DetailsFields({ form, faults }: { form: AccountForm; faults: Record<string, string> }) {
  return form.members.map((member) => {
    const { label, hint } = wordsOf(member);
    const common = {
      name: `details.${member.name}`,
      label,
      description: hint,
      required: member.required,
      withAsterisk: false,
      error: faults[`details/${form.member}/${member.name}`],
      autoComplete: 'off',
      spellCheck: false,
    };
    return member.isCode ? (
      <Textarea key={member.name} {...common} autosize minRows={3} placeholder="000201…" />
    ) : (
      <TextInput key={member.name} {...common} placeholder={member.example} />
    );
  });
}

/** `FPS identifier: 7 or 9 digits` is a name and how it looks; a long sentence is explained below a short name. */
function wordsOf({ description, required }: Member): { label: string; hint: string | undefined } {
  const [label = '', ...rest] = description.split(': ');
  const said = rest.join(': ');
  const hint = said === '' ? undefined : `${said.charAt(0).toUpperCase()}${said.slice(1)}`;
  return { label: required ? label : `${label} (optional)`, hint };
}

/** The filled-in members. */
export function readDetails(form: AccountForm, data: FormData): Record<string, string> {
  const entries = form.members.map(({ name }) => [name, String(data.get(`details.${name}`) ?? '').trim()]);
  return Object.fromEntries(entries.filter(([, value]) => value !== ''));
}
