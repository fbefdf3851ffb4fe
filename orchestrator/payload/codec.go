// Package payload encrypts what is stored in Temporal, so that it cannot be read there. It has a keyring, and a codec
// that encrypts and decrypts the payloads of workflows (AES-256-GCM). It makes no calls, does not decide who may read,
// and never logs a key.
package payload

import (
	"context"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"

	commonpb "go.temporal.io/api/common/v1"
	failurepb "go.temporal.io/api/failure/v1"
	"go.temporal.io/api/proxy"
	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/temporal"
	"google.golang.org/protobuf/proto"
)

// The metadata of an encrypted payload. All of it is authenticated.
const (
	encoding    = "binary/encrypted"
	keyMetadata = "encryption-key-id"
)

// Codec encrypts and decrypts payloads. It implements converter.PayloadCodec.
type Codec struct {
	keys *Keys
	seal bool
}

// NewCodec returns a codec with these keys. If seal is false, it encrypts nothing, but still decrypts.
func NewCodec(keys *Keys, seal bool) *Codec { return &Codec{keys, seal} }

// Encode encrypts each payload, including its metadata, with the current key.
func (c *Codec) Encode(payloads []*commonpb.Payload) ([]*commonpb.Payload, error) {
	if !c.seal {
		return payloads, nil
	}
	k, err := c.keys.current()
	if err != nil {
		return nil, err
	}
	sealed := make([]*commonpb.Payload, len(payloads))
	for i, p := range payloads {
		plain, err := proto.Marshal(p)
		if err != nil {
			return nil, fmt.Errorf("encode a payload: %w", err)
		}
		metadata := map[string][]byte{converter.MetadataEncoding: []byte(encoding), keyMetadata: []byte(k.id)}
		sealed[i] = &commonpb.Payload{Metadata: metadata, Data: k.aead.Seal(nil, nil, plain, authenticated(metadata))}
	}
	return sealed, nil
}

// Decode decrypts the encrypted payloads. It returns the others unchanged, since workflows that started before
// encryption must be able to continue. An error names the key that is missing or wrong.
func (c *Codec) Decode(payloads []*commonpb.Payload) ([]*commonpb.Payload, error) {
	opened := make([]*commonpb.Payload, len(payloads))
	for i, p := range payloads {
		if string(p.GetMetadata()[converter.MetadataEncoding]) != encoding {
			opened[i] = p
			continue
		}
		id := string(p.GetMetadata()[keyMetadata])
		k, ok := c.keys.find(id)
		if !ok {
			return nil, fmt.Errorf("this payload is encrypted with the key %q, which is not in the keyring", id)
		}
		plain, err := k.aead.Open(nil, nil, p.GetData(), authenticated(p.GetMetadata()))
		if err != nil {
			return nil, fmt.Errorf("this payload was changed, or not encrypted with this keyring's key %q", id)
		}
		opened[i] = &commonpb.Payload{}
		if err := proto.Unmarshal(plain, opened[i]); err != nil {
			return nil, fmt.Errorf("what the key %q opened is no payload: %w", id, err)
		}
	}
	return opened, nil
}

// authenticated returns an unambiguous encoding of the metadata as bytes.
func authenticated(metadata map[string][]byte) []byte {
	var all []byte
	for _, name := range slices.Sorted(maps.Keys(metadata)) {
		for _, part := range [][]byte{[]byte(name), metadata[name]} {
			all = append(binary.AppendUvarint(all, uint64(len(part))), part...)
		}
	}
	return all
}

// Converters returns the data and failure converters for the Temporal clients of workers and starters. If a payload
// cannot be decrypted, they panic: an error would fail the workflow for good, whereas after a panic it waits until the
// key is available. In activities and queries, the SDK recovers the panic. Code outside workflows should use Decode.
func (c *Codec) Converters() (converter.DataConverter, converter.FailureConverter) {
	values := converter.NewCodecDataConverter(converter.GetDefaultDataConverter(), insisting{c})
	return values, temporal.NewDefaultFailureConverter(temporal.DefaultFailureConverterOptions{DataConverter: values,
		EncodeCommonAttributes: c.seal})
}

type insisting struct{ *Codec }

func (c insisting) Decode(payloads []*commonpb.Payload) ([]*commonpb.Payload, error) {
	opened, err := c.Codec.Decode(payloads)
	if err != nil {
		panic(err)
	}
	return opened, nil
}

// Open decrypts, in place, every payload and failure in a message from Temporal, such as a history.
func (c *Codec) Open(ctx context.Context, message proto.Message) error {
	err := proxy.VisitPayloads(ctx, message, proxy.VisitPayloadsOptions{SkipSearchAttributes: true,
		Visitor: func(_ *proxy.VisitPayloadsContext, p []*commonpb.Payload) ([]*commonpb.Payload, error) {
			return c.Decode(p)
		}})
	if err != nil {
		return err
	}
	return proxy.VisitFailures(ctx, message,
		proxy.VisitFailuresOptions{Visitor: func(_ *proxy.VisitFailuresContext, f *failurepb.Failure) error {
			converter.DecodeCommonFailureAttributes(converter.GetDefaultDataConverter(), f)
			f.EncodedAttributes = nil
			return nil
		}})
}
