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
        isDemo
        mode
        timeZone
        setupProgress {
          hasReceivingAccount
          hasLivePayment
        }
      }
      permissions
      isTwoFactorSetupRequired
    }
  }
`);

type DashboardViewer = NonNullable<ResultOf<typeof viewerQuery>['viewer']>;
export type ViewerPermission = DashboardViewer['permissions'][number];

const ViewerContext = createContext<DashboardViewer | null>(null);
export const ViewerProvider = ViewerContext.Provider;

/** Throws if it is called outside of `ViewerProvider`. */
export function useViewer(): DashboardViewer {
  const viewer = useContext(ViewerContext);
  if (!viewer) throw new Error('useViewer was called outside of ViewerProvider');
  return viewer;
}

export function useHasPermission(permission: ViewerPermission): boolean {
  return useViewer().permissions.includes(permission);
}

/** Whether the user may change who reviews a transfer, and its note. */
export function useCanReview(): boolean {
  const { permissions } = useViewer();
  return permissions.includes('transfers') || permissions.includes('write');
}

export function useIsOwner(): boolean {
  return useViewer().user.role === 'owner';
}
