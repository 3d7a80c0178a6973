/**
 * The labels of tabs, by the language of the code. Adjacent code blocks in different languages are one sample and
 * become tabs; on a code host, they are shown one below the other.
 */
const tabLabels: Record<string, string> = {
  sh: 'curl',
  ts: 'TypeScript',
  python: 'Python',
  graphql: 'GraphQL',
};

type Chunk = { text: string; isCode: boolean };
type CodeBlock = { language: string; text: string };

const fence = /^```(\w*)[^\n]*\n[\s\S]*?^```$\n?/gm;

/** Splits Markdown into prose and code, with tabs around code blocks that belong together. */
export function toTabs(markdown: string): [chunks: Chunk[], hasTabs: boolean] {
  const chunks: Chunk[] = [];
  let hasTabs = false;
  for (const part of splitCode(markdown)) {
    if (typeof part === 'string') chunks.push({ text: part, isCode: false });
    else {
      const isGroup = part.length > 1;
      hasTabs ||= isGroup;
      const text = isGroup ? toTabGroup(part) : part[0]!.text;
      chunks.push({ text: `\n${text}\n`, isCode: true });
    }
  }
  return [chunks, hasTabs];
}

/** Returns the groups of code blocks that become tabs, for the tests that run them. */
export function listTabGroups(markdown: string): CodeBlock[][] {
  return splitCode(markdown)
    .filter((part) => typeof part !== 'string')
    .filter(({ length }) => length > 1);
}

function splitCode(markdown: string): (string | CodeBlock[])[] {
  const parts: (string | CodeBlock[])[] = [];
  let end = 0;
  for (const match of markdown.matchAll(fence)) {
    const between = markdown.slice(end, match.index);
    const block = { language: match[1]!, text: match[0].trimEnd() };
    const previous = parts.at(-1);
    if (between.trim() === '' && Array.isArray(previous) && belongsTo(previous, block)) previous.push(block);
    else parts.push(between, [block]);
    end = match.index + match[0].length;
  }
  return [...parts, markdown.slice(end)];
}

function belongsTo(group: CodeBlock[], { language }: CodeBlock): boolean {
  const languages = group.map((block) => block.language);
  return [...languages, language].every((name) => name in tabLabels) && !languages.includes(language);
}

function toTabGroup(blocks: CodeBlock[]): string {
  const items = blocks.map(
    ({ language, text }) => `<TabItem label="${tabLabels[language]}">\n\n${text}\n\n</TabItem>`,
  );
  return `<Tabs syncKey="language">\n${items.join('\n')}\n</Tabs>`;
}
