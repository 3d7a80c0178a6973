import { Textarea, TextInput } from '@mantine/core';
import { capitalised } from '../../format/words.ts';
import type { Faults } from '../../graphql/refusal.ts';
import { textOf } from '../../parts/form.tsx';
import type { AccountWay } from './receiving-accounts-query.ts';

type Member = AccountWay['members'][number];

/** What a scheme needs, one field a member, with what is wrong beside it. */
export function DetailsFields({ way, faults }: { way: AccountWay; faults: Faults }) {
  return way.members.map((member) => {
    const { label, hint } = wordsOf(member);
    const common = {
      name: `details.${member.name}`,
      label,
      description: hint,
      required: member.required,
      withAsterisk: false,
      error: faults[`details/${way.member}/${member.name}`],
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
  const hint = said === '' ? undefined : capitalised(said);
  return { label: required ? label : `${label} (optional)`, hint };
}

/** The filled-in members. */
export function readDetails(form: FormData, way: AccountWay): Record<string, string> {
  const entries = way.members.map(({ name }) => [name, textOf(form, `details.${name}`)]);
  return Object.fromEntries(entries.filter(([, value]) => value !== ''));
}
