{{- define "munshi.name" -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- end }}

{{/* Labels by which Deployments and Services find their pods: never change them. Takes (root, part). */}}
{{- define "munshi.selector" -}}
app.kubernetes.io/name: munshi
app.kubernetes.io/instance: {{ (index . 0).Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end }}

{{- define "munshi.labels" -}}
{{ include "munshi.selector" . }}
app.kubernetes.io/version: {{ (index . 0).Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ (index . 0).Release.Service }}
helm.sh/chart: {{ (index . 0).Chart.Name }}-{{ (index . 0).Chart.Version }}
{{- end }}

{{- define "munshi.image" -}}
{{- $i := .Values.image -}}
{{- required "image.repository: where you keep the image of the Dockerfile" $i.repository -}}
{{- if $i.digest }}@{{ $i.digest }}{{ else }}:{{ $i.tag | default .Chart.AppVersion }}{{ end -}}
{{- end }}

{{/* What Pod Security "restricted" asks for, and more: a read-only root. */}}
{{- define "munshi.podSecurity" -}}
automountServiceAccountToken: false
enableServiceLinks: false # their variables could be taken for ours
securityContext:
  runAsNonRoot: true
  runAsUser: 10001 # as the Dockerfile's
  runAsGroup: 10001
  fsGroup: 10001
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile: {type: RuntimeDefault}
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
{{- range . }}
  - name: {{ . }}
{{- end }}
{{- end }}
{{- end }}

{{- define "munshi.containerSecurity" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: {drop: [ALL]}
{{- end }}

{{- define "munshi.secretVariable" -}}
valueFrom: {secretKeyRef: {name: {{ .secret }}, key: {{ .key }}}}
{{- end }}

{{/* How the database is reached: for all parts, and all that the migration has. */}}
{{- define "munshi.databaseEnv" -}}
{{- $d := .Values.database -}}
- name: DATABASE_URL
  {{- include "munshi.secretVariable" $d.url | nindent 2 }}
- {name: PGSSLMODE, value: {{ $d.tls.mode | quote }}}
{{- if $d.tls.ca.secret }}
- {name: PGSSLROOTCERT, value: /munshi/tls/database/ca/{{ $d.tls.ca.key }}}
{{- end }}
{{- if $d.tls.client.secret }}
- {name: PGSSLCERT, value: /munshi/tls/database/client/tls.crt}
- {name: PGSSLKEY, value: /munshi/tls/database/client/tls.key}
{{- end }}
- {name: MUNSHI_LOG_FORMAT, value: json}
{{- end }}

{{- define "munshi.databaseMounts" -}}
- {name: tmp, mountPath: /tmp}
{{- if .Values.database.tls.ca.secret }}
- {name: database-ca, mountPath: /munshi/tls/database/ca, readOnly: true}
{{- end }}
{{- if .Values.database.tls.client.secret }}
- {name: database-client, mountPath: /munshi/tls/database/client, readOnly: true}
{{- end }}
{{- end }}

{{- define "munshi.databaseVolumes" -}}
- name: tmp
  emptyDir: {sizeLimit: {{ .Values.tmpSize }}}
{{- with .Values.database.tls.ca.secret }}
- name: database-ca
  secret: {secretName: {{ . }}, defaultMode: 0440}
{{- end }}
{{- with .Values.database.tls.client.secret }}
- name: database-client
  secret: {secretName: {{ . }}, defaultMode: 0440}
{{- end }}
{{- end }}

{{- define "munshi.env" -}}
{{- $t := .Values.temporal -}}
{{- $name := include "munshi.name" . -}}
{{ include "munshi.databaseEnv" . }}
- {name: MUNSHI_DATABASE_CONNECTIONS, value: {{ .Values.database.connections | quote }}}
- {name: MUNSHI_CONFIG, value: /munshi/settings/munshi.yaml}
- {name: MUNSHI_SERVER_ADDRESS, value: "0.0.0.0:8080"}
- {name: MUNSHI_SERVER_OPERATOR_ADDRESS, value: "0.0.0.0:9464"}
- {name: MUNSHI_SERVER_PUBLIC_URL, value: {{ required "publicUrl: how people reach it" .Values.publicUrl | quote }}}
- name: MUNSHI_SERVER_HOSTS
  value: {{ concat (list $name (printf "%s-operators" $name) (printf "%s.%s.svc" $name .Release.Namespace) (printf "%s-operators.%s.svc" $name .Release.Namespace)) .Values.hosts | join "," }}
{{- with .Values.trustedProxies }}
- {name: MUNSHI_SERVER_TRUSTED_PROXIES, value: {{ join "," . | quote }}}
{{- end }}
- {name: TEMPORAL_ADDRESS, value: {{ required "temporal.address: host:port of Temporal's frontend" $t.address | quote }}}
- {name: TEMPORAL_NAMESPACE, value: {{ $t.namespace | quote }}}
- {name: TEMPORAL_TLS, value: {{ $t.tls.enabled | quote }}}
{{- if $t.tls.enabled }}
{{- with $t.tls.serverName }}
- {name: TEMPORAL_TLS_SERVER_NAME, value: {{ . | quote }}}
{{- end }}
{{- if $t.tls.ca.secret }}
- {name: TEMPORAL_TLS_SERVER_CA_CERT_PATH, value: /munshi/tls/temporal/ca/{{ $t.tls.ca.key }}}
{{- end }}
{{- if $t.tls.client.secret }}
- {name: TEMPORAL_TLS_CLIENT_CERT_PATH, value: /munshi/tls/temporal/client/tls.crt}
- {name: TEMPORAL_TLS_CLIENT_KEY_PATH, value: /munshi/tls/temporal/client/tls.key}
{{- end }}
{{- end }}
{{- if $t.apiKey.secret }}
- name: TEMPORAL_API_KEY
  {{- include "munshi.secretVariable" $t.apiKey | nindent 2 }}
{{- end }}
- {name: MUNSHI_TEMPORAL_KEYS_FILE, value: /munshi/temporal-keys/keys}
{{- with $t.webUiUrl }}
- {name: MUNSHI_TEMPORAL_WEB_UI_URL, value: {{ . | quote }}}
{{- end }}
{{- if .Values.law.volume }}
- {name: MUNSHI_LAW_LIBRARY, value: /munshi/law}
{{- end }}
{{- if .Values.prompts.volume }}
- {name: MUNSHI_PROMPTS_DIR, value: /munshi/prompts-volume}
{{- end }}
{{- range $variable, $from := .Values.secrets }}
- name: {{ $variable }}
  {{- include "munshi.secretVariable" $from | nindent 2 }}
{{- end }}
{{- end }}

{{- define "munshi.mounts" -}}
{{ include "munshi.databaseMounts" . }}
- {name: settings, mountPath: /munshi/settings, readOnly: true}
- {name: temporal-keys, mountPath: /munshi/temporal-keys, readOnly: true}
{{- if .Values.temporal.tls.ca.secret }}
- {name: temporal-ca, mountPath: /munshi/tls/temporal/ca, readOnly: true}
{{- end }}
{{- if .Values.temporal.tls.client.secret }}
- {name: temporal-client, mountPath: /munshi/tls/temporal/client, readOnly: true}
{{- end }}
{{- if .Values.prompts.volume }}
- {name: prompts, mountPath: /munshi/prompts-volume, readOnly: true}
{{- end }}
{{- range $folder, $_ := .Values.prompts.folders }}
- {name: prompts-{{ $folder | replace "_" "x" }}, mountPath: /munshi/prompts/{{ $folder }}, readOnly: true}
{{- end }}
{{- if .Values.law.volume }}
- {name: law, mountPath: /munshi/law, readOnly: true}
{{- end }}
{{- end }}

{{- define "munshi.volumes" -}}
{{ include "munshi.databaseVolumes" . }}
- name: settings
  configMap: {name: {{ include "munshi.name" . }}-settings}
- name: temporal-keys # a file, so that processes notice when it changes
  secret:
    secretName: {{ .Values.temporal.keys.secret }}
    defaultMode: 0440
    items: [{key: {{ .Values.temporal.keys.key }}, path: keys}]
{{- with .Values.temporal.tls.ca.secret }}
- name: temporal-ca
  secret: {secretName: {{ . }}, defaultMode: 0440}
{{- end }}
{{- with .Values.temporal.tls.client.secret }}
- name: temporal-client
  secret: {secretName: {{ . }}, defaultMode: 0440}
{{- end }}
{{- with .Values.prompts.volume }}
- name: prompts
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- range $folder, $from := .Values.prompts.folders }}
- name: prompts-{{ $folder | replace "_" "x" }}
  configMap: {name: {{ $from }}}
{{- end }}
{{- with .Values.law.volume }}
- name: law
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* How many pods: with an autoscaler as many as there are now, since without a number Kubernetes takes one. Takes
(root, name, the part's values). */}}
{{- define "munshi.replicas" -}}
{{- $a := (index . 2).autoscaling -}}
{{- if $a.enabled -}}
{{- $now := lookup "apps/v1" "Deployment" (index . 0).Release.Namespace (index . 1) -}}
{{- min $a.max (max $a.min (dig "spec" "replicas" 0 $now)) -}}
{{- else -}}
{{- (index . 2).replicas -}}
{{- end -}}
{{- end }}

{{/* Where pods of a part go. Takes (root, part, its values). */}}
{{- define "munshi.placement" -}}
topologySpreadConstraints:
{{- $selector := include "munshi.selector" (list (index . 0) (index . 1)) }}
{{- range $key := list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
  - topologyKey: {{ $key }}
    maxSkew: 1
    whenUnsatisfiable: ScheduleAnyway
    matchLabelKeys: [pod-template-hash]
    labelSelector:
      matchLabels:
        {{- $selector | nindent 8 }}
{{- end }}
{{- with (index . 2).nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with (index . 2).tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with (index . 2).affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
