import { createContext, useContext } from 'react';
import { graphql, type ResultOf } from './graphql/graphql.ts';

export const viewerQuery = graphql(`
  query Viewer {
    viewer {
      user {
        id
        email
        name
        role
      }
      merchant {
        id
        name
        demo
        mode
        timeZone
      }
      permissions
      mustEnableTwoFactor
    }
  }
`);

export type DashboardViewer = NonNullable<ResultOf<typeof viewerQuery>['viewer']>;
type ViewerPermission = DashboardViewer['permissions'][number];

const ViewerContext = createContext<DashboardViewer | null>(null);
export const ViewerProvider = ViewerContext.Provider;

/** Who is signed in; only inside the shell. */
export function useViewer(): DashboardViewer {
  const viewer = useContext(ViewerContext);
  if (!viewer) throw new Error('no user is signed in here');
  return viewer;
}

/** Whether the signed-in user may do this, so that a page offers only what will work. */
export function useHasPermission(permission: ViewerPermission): boolean {
  return useViewer().permissions.includes(permission);
}

/** Some things only an owner does, or sees. */
export function useIsOwner(): boolean {
  return useViewer().user.role === 'owner';
}
