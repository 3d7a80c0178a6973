import { fillText } from '../../../language/fill-text.ts';
import { pageInfoFields } from '../../components/use-cursor.ts';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { useAllPages } from '../../graphql/use-all-pages.ts';
import { t } from '../../language/texts.ts';

const teamQuery = graphql(
  `
    query AuditTeam($after: String) {
      users(first: 50, after: $after) {
        nodes {
          id
          name
          email
        }
        pageInfo {
          ...PageInfo
        }
      }
    }
  `,
  [pageInfoFields],
);

const keysQuery = graphql(
  `
    query AuditApiKeys($after: String) {
      apiKeys(first: 50, after: $after) {
        nodes {
          id
          name
        }
        pageInfo {
          ...PageInfo
        }
      }
    }
  `,
  [pageInfoFields],
);

const getUsers = (data: ResultOf<typeof teamQuery>) => data.users;
const getKeys = (data: ResultOf<typeof keysQuery>) => data.apiKeys;

type ActorChoice = { value: string; label: string };

/** Returns the users as choices for a select. Only owners may read them. */
export function useTeamChoices(): ActorChoice[] {
  const users = useAllPages(teamQuery, getUsers).data ?? [];
  return users.map(({ id, name, email }) => ({
    value: id,
    label: name === null ? email : `${name} · ${email}`,
  }));
}

/** Returns the users and the API keys of the mode as choices for a select. */
export function useActorChoices(): ActorChoice[] {
  const team = useTeamChoices();
  const keys = useAllPages(keysQuery, getKeys).data ?? [];
  return [
    ...team,
    ...keys.map(({ id, name }) => ({ value: id, label: fillText(t.audit.keyNamed, { name }) })),
  ];
}
