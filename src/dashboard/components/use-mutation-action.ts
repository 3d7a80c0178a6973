import { type AnyVariables, type OperationContext, type TypedDocumentNode, useMutation } from 'urql';
import { getErrorMessage, type MutationData } from '../graphql/errors.ts';

/** Returns an action for a dialog: it resolves to an error message, or calls `onDone` and resolves to undefined. */
export function useMutationAction<Data extends MutationData, Variables extends AnyVariables>(
  mutation: TypedDocumentNode<Data, Variables>,
  onDone: () => void = () => {},
): (variables: Variables, context?: Partial<OperationContext>) => Promise<string | undefined> {
  const [, execute] = useMutation(mutation);
  return async (variables, context) => {
    const errorMessage = getErrorMessage(await execute(variables, context));
    if (errorMessage === undefined) onDone();
    return errorMessage;
  };
}
