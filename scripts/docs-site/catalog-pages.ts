import { eventTypes } from '../../src/event/catalog.ts';
import { errorCatalog } from '../../src/kit/errors.ts';
import type { DocumentedField } from './graphql-pages.ts';
import { type GuideFile, listMentions } from './guide-pages.ts';
import { type DocumentedRoute, type SiteOpenApi, toMemberTable } from './rest-pages.ts';
import { joinParts, type SitePage, toJsonBlock, toSiteUrl, toTable } from './site-page.ts';

/** The guides and the operations that may use an error code. */
type Uses = { files: GuideFile[]; rest: DocumentedRoute[]; graphql: DocumentedField[] };

export function createErrorPages({ files, rest, graphql }: Uses): SitePage[] {
  return Object.entries(errorCatalog).map(([code, { status, title }]) => {
    const restUses = rest.filter(({ errorCodes }) => errorCodes.includes(code));
    const graphqlUses = graphql.filter(({ description }) => description.includes(`\`${code}\``));
    const problem = {
      type: `urn:causeway:error:${code}`,
      title,
      status,
      detail: title,
      code,
      requestId: 'req_Zp1M3u0aQf8sT2Lx',
    };
    const mentions = listMentions(files, code);
    return {
      slug: `reference/errors/${code}`,
      title: code,
      body: joinParts([
        `${title}.`,
        toTable(
          ['property', 'value'],
          [
            ['Code', `\`${code}\``],
            ['HTTP status', String(status)],
          ],
        ),
        `## What to do\n\n${getAdvice(files, status)}`,
        `## In REST\n\n${toJsonBlock(problem)}`,
        toUseList(
          restUses.map(({ name, url }) => `[\`${name}\`](${url})`),
          'Operations that return this error:',
        ),
        '## In GraphQL',
        'In the error type of a mutation, `code` has this value. In other errors, it is `extensions.code`.',
        toUseList(
          graphqlUses.map(({ name, url }) => `[\`${name}\`](${url})`),
          'Operations that describe this error:',
        ),
        mentions.length > 0 ? `## Guides that mention it\n\n${mentions.join('\n')}` : '',
        `[All errors](${toSiteUrl('reference/errors')})`,
      ]),
    };
  });
}

function toUseList(links: string[], intro: string): string {
  return links.length > 0 ? `${intro}\n\n${links.map((link) => `- ${link}`).join('\n')}` : '';
}

/** Returns the advice of docs/reference/errors.md for a status. */
function getAdvice(files: GuideFile[], status: number): string {
  const { text } = files.find(({ path }) => path === 'reference/errors.md')!;
  const rows = [...text.matchAll(/^\| (\d{3}[^|]*) \| ([^|]+) \|$/gm)];
  const advice = rows.find(([, statuses = '']) => statuses.includes(String(status)))?.[2];
  const base = advice ?? 'Correct the request. `detail` says what the service does not accept.';
  return base
    .replaceAll(
      '(../guides/settings.md#restricted-access)',
      `(${toSiteUrl('settings', 'restricted-access')})`,
    )
    .replaceAll('(rest.md#repeating-safely)', `(${toSiteUrl('reference/rest', 'repeating-safely')})`);
}

export function createEventPages(files: GuideFile[], document: SiteOpenApi): SitePage[] {
  const { text } = files.find(({ path }) => path === 'reference/events.md')!;
  return Object.entries(eventTypes).map(([type, { object, since }]) => {
    const sentWhen = new RegExp(`^\\| \`${type}\` \\|[^|]*\\|[^|]*\\| (.+) \\|$`, 'm').exec(text)?.[1] ?? '';
    const content = document.webhooks[type]?.post.requestBody?.content?.['application/json'];
    const schema = content?.schema?.$ref?.split('/').at(-1);
    const mentions = listMentions(files, type);
    return {
      slug: `reference/events/${type}`,
      title: type,
      body: joinParts([
        sentWhen.replaceAll(
          '(../guides/transfers.md#exceptions)',
          `(${toSiteUrl('transfers', 'exceptions')})`,
        ),
        toTable(
          ['property', 'value'],
          [
            ['Event type', `\`${type}\``],
            ['Object', object],
            ['Webhooks', since === 'never' ? 'not sent to webhooks' : `from version ${since}`],
          ],
        ),
        content
          ? `## Body\n\n${toMemberTable(document, document.components.schemas[schema!]!)}\n\n## Example\n\n${toJsonBlock(content.example)}`
          : `This event is only in the [event log](${toSiteUrl('webhooks', 'catch-up-on-missed-events')}) and in live updates.`,
        mentions.length > 0 ? `## Guides that mention it\n\n${mentions.join('\n')}` : '',
        `[All event types](${toSiteUrl('reference/events')})`,
      ]),
    };
  });
}
