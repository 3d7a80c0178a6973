import { type AnyVariables, type OperationContext, type TypedDocumentNode, useMutation } from 'urql';
import { type Answer, refusalOf } from '../graphql/refusal.ts';

/** A mutation as a dialog has it done: answers the sentence to show where it was refused; else `onDone` has been called. */
export function useAct<Data extends Answer, Variables extends AnyVariables>(
  mutation: TypedDocumentNode<Data, Variables>,
  onDone: () => void = () => {},
): (variables: Variables, context?: Partial<OperationContext>) => Promise<string | undefined> {
  const [, execute] = useMutation(mutation);
  return async (variables, context) => {
    const refused = refusalOf(await execute(variables, context));
    if (refused === undefined) onDone();
    return refused;
  };
}
