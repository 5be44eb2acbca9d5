import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.base.ParserBase;
import com.fasterxml.jackson.core.io.IOContext;
import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.DeserializationConfig;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.deser.BeanDeserializerModifier;
import com.fasterxml.jackson.databind.deser.ResolvableDeserializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import software.amazon.dynamodb.services.local.shared.access.StreamInfo;
import software.amazon.dynamodb.services.local.shared.access.sqlite.TableSchemaInfo;

/**
 * Caches parsed schemas. DynamoDB Local stores the schema of a table and its stream as JSON and parses them in every
 * call, which takes more than half of its CPU time with five indexes.
 */
class ParsedOnce extends JsonDeserializer<Object> implements ResolvableDeserializer {
    /** Maximum number of cached schemas. */
    private static final int LIMIT = 1_000;

    private final Map<ByteBuffer, Object> parsed = new ConcurrentHashMap<>();
    private final JsonDeserializer<?> parser;
    private final Class<?> type;
    private final List<Field> fields = new ArrayList<>();
    private final Field context;

    private ParsedOnce(JsonDeserializer<?> parser, Class<?> type) throws ReflectiveOperationException {
        this.parser = parser;
        this.type = type;
        for (Field field : type.getDeclaredFields()) {
            if (Modifier.isStatic(field.getModifiers())) continue;
            field.setAccessible(true);
            fields.add(field);
        }
        context = ParserBase.class.getDeclaredField("_ioContext");
        context.setAccessible(true);
    }

    /** Adds the cache to the mapper of a server class. */
    static void in(Class<?> owner) throws ReflectiveOperationException {
        Field field = owner.getDeclaredField("MAPPER");
        field.setAccessible(true);
        SimpleModule module = new SimpleModule("ParsedOnce");
        module.setDeserializerModifier(new BeanDeserializerModifier() {
            @Override
            public JsonDeserializer<?> modifyDeserializer(
                    DeserializationConfig config, BeanDescription bean, JsonDeserializer<?> parser) {
                Class<?> type = bean.getBeanClass();
                if (type != TableSchemaInfo.class && type != StreamInfo.class) return parser;
                try {
                    return new ParsedOnce(parser, type);
                } catch (ReflectiveOperationException error) {
                    throw new IllegalStateException(error);
                }
            }
        });
        ((ObjectMapper) field.get(null)).registerModule(module);
    }

    @Override
    public void resolve(DeserializationContext deserialization) throws JsonMappingException {
        ((ResolvableDeserializer) parser).resolve(deserialization);
    }

    @Override
    public Object deserialize(JsonParser json, DeserializationContext deserialization) throws IOException {
        try {
            Object source = ((IOContext) context.get(json)).contentReference().getRawContent();
            if (!(source instanceof byte[] bytes)) return parser.deserialize(json, deserialization);
            ByteBuffer key = ByteBuffer.wrap(bytes);
            Object known = parsed.get(key);
            if (known == null) {
                known = parser.deserialize(json, deserialization);
                if (parsed.size() < LIMIT) parsed.put(key, known);
            }
            return copyOf(known);
        } catch (ReflectiveOperationException error) {
            throw new IOException(error);
        }
    }

    /** Copies a cached schema, because the server modifies schemas in place. */
    private Object copyOf(Object schema) throws ReflectiveOperationException {
        Object copy = type.getDeclaredConstructor().newInstance();
        for (Field field : fields) field.set(copy, copyOfParts(field.get(schema)));
        return copy;
    }

    private static Object copyOfParts(Object value) {
        if (value instanceof List<?> list) {
            List<Object> copy = new ArrayList<>(list.size());
            for (Object each : list) copy.add(copyOfParts(each));
            return copy;
        }
        if (value instanceof Map<?, ?> map) {
            Map<Object, Object> copy = new LinkedHashMap<>();
            map.forEach((key, each) -> copy.put(key, copyOfParts(each)));
            return copy;
        }
        return value;
    }
}
