import { Client, fetchExchange } from 'urql';
import { beforeEach, expect, test } from 'vitest';
import { sessionExchange } from '../../src/dashboard/graphql/client.ts';
import { setPageViewer } from '../../src/dashboard/graphql/page-viewer.ts';

/** For whom a tab of the dashboard asks, and what it does when that is nobody any more, or somebody else. */

const viewerQuery = '{ viewer { user { id } } }';
const chargesQuery = '{ charges { totalCount } }';
const gate = { requestPolicy: 'network-only', isGate: true } as const;

beforeEach(() => setPageViewer(undefined));

/** A tab, and the server as `state` has it: who is signed in in this browser. */
function makeTab() {
  const state = { signedIn: 'usr_1' as string | null, timesLeft: 0 };
  const onSignedOut = () => {
    state.timesLeft += 1;
  };
  const asked: (string | null)[] = [];
  const client = new Client({
    url: 'http://dashboard.example/graphql',
    preferGetMethod: false,
    exchanges: [sessionExchange({ onSignedOut, isClosed: () => false }), fetchExchange],
    fetch: async (_url, request) => {
      const viewer = new Headers(request?.headers).get('causeway-viewer');
      asked.push(viewer);
      if (viewer !== null && viewer !== state.signedIn) {
        const errors = [{ message: 'Somebody else', extensions: { code: 'unauthenticated' } }];
        return Response.json({ errors }, { status: 401 });
      }
      const user = state.signedIn === null ? null : { user: { id: state.signedIn } };
      return Response.json({ data: { viewer: user } });
    },
  });
  return { state, asked, ask: (query: string, context = {}) => client.query(query, {}, context).toPromise() };
}

test('each request names whom the page shows, but for the question who that is', async () => {
  const { state, asked, ask } = makeTab();
  await ask(viewerQuery, gate);
  await ask(chargesQuery);
  await ask(viewerQuery, gate);
  expect(asked).toEqual([null, 'usr_1', null]);
  expect(state.timesLeft).toBe(0);
});

test('a tab that shows one whom another tab has replaced begins anew, whatever it asks', async () => {
  const { state, ask } = makeTab();
  await ask(viewerQuery, gate);
  state.signedIn = 'usr_2';
  await ask(chargesQuery);
  expect(state.timesLeft).toBe(1);
  await ask(viewerQuery, gate);
  expect(state.timesLeft).toBe(2);
});

test('nobody signed in is for the door to show, and elsewhere the end of the session', async () => {
  const { state, ask } = makeTab();
  state.signedIn = null;
  await ask(viewerQuery, gate);
  expect(state.timesLeft).toBe(0);
  await ask(viewerQuery);
  expect(state.timesLeft).toBe(1);
});
