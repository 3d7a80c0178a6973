import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import {
  createContext,
  type FormEvent,
  type ReactNode,
  useCallback,
  useContext,
  useRef,
  useState,
} from 'react';
import { type AnyVariables, type TypedDocumentNode, useMutation } from 'urql';
import { graphql } from '../graphql/graphql.ts';
import { refusalOf } from '../graphql/refusal.ts';
import { CodeInput } from './code-input.tsx';
import { Refused } from './refused.tsx';

const proveMutation = graphql(`
  mutation ProveSecondFactor($input: ProveSecondFactorInput!) {
    proveSecondFactor(input: $input) {
      __typename
      ... on Error {
        code
        message
      }
    }
  }
`);

/** Asks for a code; answers whether one was given. */
type Prove = () => Promise<boolean>;
const ProofContext = createContext<Prove>(async () => false);

/** The dialog that asks for the second factor again, wherever within it something takes that. */
export function SecondFactorProof({ children }: { children: ReactNode }) {
  const [, prove] = useMutation(proveMutation);
  const [opened, setOpened] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const settle = useRef<(isProved: boolean) => void>(() => {});
  const ask = useCallback<Prove>(() => {
    setRefusal(undefined);
    setOpened(true);
    return new Promise((resolve) => {
      settle.current = resolve;
    });
  }, []);
  const close = (isProved: boolean) => {
    setOpened(false);
    settle.current(isProved);
  };
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    // The form of the page beneath is none of this one's.
    event.stopPropagation();
    const code = String(new FormData(event.currentTarget).get('code'));
    setBusy(true);
    const refused = refusalOf(await prove({ input: { code } }));
    setBusy(false);
    setRefusal(refused);
    if (refused === undefined) close(true);
  };
  return (
    <ProofContext.Provider value={ask}>
      {children}
      <Modal opened={opened} onClose={() => close(false)} title="Enter a code" zIndex={400} centered>
        <form onSubmit={submit}>
          <Stack>
            <Text size="sm">This changes where money goes, so it asks for your second factor again.</Text>
            <Refused text={refusal} />
            <CodeInput />
            <Group justify="flex-end">
              <Button type="submit" loading={isBusy}>
                Continue
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </ProofContext.Provider>
  );
}

/** As `useMutation`, of one that may ask for the second factor again: then it is asked for, and the mutation repeated. */
export function useProvenMutation<Data, Variables extends AnyVariables>(
  query: TypedDocumentNode<Data, Variables>,
): ReturnType<typeof useMutation<Data, Variables>> {
  const [state, execute] = useMutation(query);
  const prove = useContext(ProofContext);
  const run: typeof execute = useCallback(
    async (variables, context) => {
      const outcome = await execute(variables, context);
      return isAsked(outcome.data) && (await prove()) ? execute(variables, context) : outcome;
    },
    [execute, prove],
  );
  return [state, run];
}

function isAsked(data: unknown): boolean {
  const [answer] = Object.values((data ?? {}) as Record<string, { code?: string } | null>);
  return answer?.code === 'second_factor_required';
}
