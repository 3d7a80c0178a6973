import { graphql, type ResultOf } from '../../graphql/graphql.ts';

export const healthQuery = graphql(`
  query InstallationHealth {
    installationHealth {
      measuredAt
      workerCount
      database {
        version
        sizeBytes
        connectionCount
        maxConnectionCount
        processCount
      }
      queues {
        name
        waitingCount
        delaySeconds
      }
      mail {
        hasMailServer
        hasSmsGateway
        waitingCount
        failedCount
      }
      feeds {
        newCount
        connectedCount
        lateCount
        failingCount
        pausedCount
      }
      webhooks {
        failingCount
        disabledCount
      }
      disk {
        freeBytes
        totalBytes
      }
    }
  }
`);

export type Health = NonNullable<ResultOf<typeof healthQuery>['installationHealth']>;
