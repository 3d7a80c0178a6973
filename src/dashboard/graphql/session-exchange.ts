import { type Exchange, mapExchange } from 'urql';
import { forShownViewer, isStillShown } from './shown-viewer.ts';

/** Asks for whom the page shows, and hears from the answers when that is nobody any more, or somebody else. */
export function sessionExchange(options: { onSignedOut: () => void; isClosed: () => boolean }): Exchange {
  const { onSignedOut, isClosed } = options;
  return mapExchange({
    onOperation: forShownViewer,
    onResult: ({ data, operation }) => {
      if (!data || isClosed()) return;
      // Whoever signs out everywhere reads of nobody next.
      const isGone = operation.context.isGate ? !isStillShown(data.viewer?.user.id) : data.viewer === null;
      if (isGone) onSignedOut();
    },
    onError: (error, operation) => {
      // Who is signed in is asked anew after each sign-out: that this is refused is for its page to show.
      if (operation.context.isGate) return;
      const isRefused = error.graphQLErrors.some(({ extensions }) => extensions.code === 'unauthenticated');
      if (isRefused || error.response?.status === 401) onSignedOut();
    },
  });
}
