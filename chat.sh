U=http://127.0.0.1:18771
ask() { # plugin text
  ID=$(curl -s -b jar -c jar -H 'Content-Type: application/json' -d "{\"plugin\":\"$1\"}" $U/api/conversations | python3 -c "import json,sys; print(json.load(sys.stdin)['id'])")
  curl -s -b jar -H 'Content-Type: application/json' -d "{\"text\":\"$2\"}" $U/api/conversations/$ID/messages | cut -c1-200; echo
  for i in $(seq 60); do S=$(curl -s -b jar $U/api/conversations/$ID | python3 -c "import json,sys; t=json.load(sys.stdin)['turn']; print(t['state'], (t.get('error') or {}).get('code',''))"); case $S in queued*|running*) sleep 0.2;; *) break;; esac; done; echo "$S"
}
