import type { Json } from '../setup/graphql.ts';

type Asked = { status: number; data: Json; errors: Json };
/** Somebody who asks, and what they send with it. */
export type Caller = {
  name: string;
  headers: Record<string, string>;
  ask: (query: string) => Promise<Asked>;
};

/** As many of the first fields as one document may have, also one that is sent with a client token. */
function firstOf(fields: [name: string, text: string][]): [name: string, text: string][] {
  let length = 0;
  const count = fields.findIndex(([, text], i) => {
    length += text.length + 6;
    return i > 0 && (i === 50 || length > 3_900);
  });
  return count === -1 ? fields : fields.slice(0, count);
}

/** Each alias alone: a refusal of one leaves the others. At most 50 in a document. */
export async function askEach(caller: Caller, fields: Map<string, string>): Promise<Map<string, Json>> {
  const answers = new Map<string, Json>();
  let left = [...fields];
  while (left.length > 0) {
    const part = firstOf(left);
    left = left.slice(part.length);
    const { data, errors } = await caller.ask(`{ ${part.map(([, text], i) => `f${i}: ${text}`).join(' ')} }`);
    const failed = new Set((errors ?? []).map(({ path }: Json) => path?.[0]));
    part.forEach(([name], i) => {
      if (data?.[`f${i}`] != null && !failed.has(`f${i}`)) answers.set(name, data[`f${i}`]);
    });
  }
  return answers;
}

type Answered = { answer: Json; error: Json };

/**
 * What each of the fields at the top answers, at most 50 asked for together: a refusal of one leaves the others, or takes
 * the whole answer with it; then the others are asked for again.
 */
export async function askTogether(
  caller: Caller,
  kind: 'query' | 'mutation',
  fields: [name: string, text: string][],
): Promise<Map<string, Answered>> {
  const part = firstOf(fields);
  const { data, errors } = await caller.ask(
    `${kind} { ${part.map(([, text], i) => `f${i}: ${text}`).join(' ')} }`,
  );
  const answers = new Map<string, Answered>();
  part.forEach(([name], i) => {
    const own = errors?.find(({ path }: Json) => path?.[0] === `f${i}`);
    // What is refused to all comes without a path.
    const error = own ?? errors?.find(({ path }: Json) => path === undefined);
    if (data || error) answers.set(name, { answer: data?.[`f${i}`], error });
  });
  // What came before the one that was refused has been done, and is asked for last: tries are counted.
  const at = part.findIndex(([name]) => answers.get(name)?.error);
  const left = [
    ...part.slice(at + 1),
    ...fields.slice(part.length),
    ...part.slice(0, Math.max(at, 0)),
  ].filter(([name]) => !answers.has(name));
  return left.length === 0 ? answers : new Map([...answers, ...(await askTogether(caller, kind, left))]);
}
